import { z } from "zod";
import type { StoredRecord } from "../driver";
import { BatonError } from "../errors";
import type { JsonObject } from "../json";

/** The one field that a meta file has beyond the record's own. */
const FIELD = "_baton";

const time = z.number().min(0).max(Number.MAX_SAFE_INTEGER).transform(Math.trunc);
const bookkeeping = z
	.object({
		version: z.int().positive().catch(1),
		aliases: z.array(z.string()).catch([]),
		group: z.string().catch(""),
		ttlMs: z.int().positive().nullable().catch(null),
		createdAt: time.optional().catch(undefined),
		updatedAt: time.optional().catch(undefined),
	})
	.catch({ version: 1, aliases: [], group: "", ttlMs: null });

/** The record's value, bare and readable, and one field with the rest. */
export function encodeMeta(record: StoredRecord): string {
	const { version, aliases, group, ttlMs, createdAt, updatedAt } = record;
	const value = JSON.parse(record.json) as JsonObject;
	checkValue(value);
	value[FIELD] = { version, aliases: [...aliases], group, ttlMs, createdAt, updatedAt };
	return `${JSON.stringify(value, null, 2)}\n`;
}

/** Null when the text is not a JSON object. A file that others made lacks our field, and is fine. */
export function decodeMeta(id: string, text: string, fileTime: number): StoredRecord | null {
	const value = parseObject(text);
	if (!value) return null;
	const { createdAt, updatedAt, ...rest } = bookkeeping.parse(value[FIELD] ?? {});
	delete value[FIELD];
	const created = createdAt ?? timeOf(value.createdAt) ?? Math.trunc(fileTime);
	const updated = updatedAt ?? timeOf(value.updatedAt) ?? created;
	return { ...rest, id, json: JSON.stringify(value), createdAt: created, updatedAt: updated };
}

/** Rejects a value that would hide the bookkeeping. */
function checkValue(value: JsonObject): void {
	if (!Object.hasOwn(value, FIELD)) return;
	throw new BatonError(
		"invalid",
		`A record's value cannot have a field "${FIELD}": the files store keeps its own there.`,
	);
}

function parseObject(text: string): JsonObject | null {
	try {
		const value: unknown = JSON.parse(text);
		if (value === null || typeof value !== "object" || Array.isArray(value)) return null;
		return value as JsonObject;
	} catch {
		return null;
	}
}

function timeOf(value: unknown): number | undefined {
	return time.safeParse(value).data;
}
