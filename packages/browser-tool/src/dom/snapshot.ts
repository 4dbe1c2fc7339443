import type { SnapshotField } from "../types";
import { describeField } from "./describe-field";
import type { FoundField } from "./field-kind";
import { findFields } from "./find-fields";
import { LIMITS } from "./limits";
import { whileTaking } from "./per-snapshot";
import { idOf, keepReferences, type Reference } from "./references";
import { redact, splitCardNumbers } from "./secrets";
import type { Root } from "./tree";
import { isVisible } from "./visibility";
import type { Opaque } from "./walk-page";

export interface SnapshotOptions {
	/** Nothing outside of it is seen. The whole document by default. */
	root?: Root;
}

export interface Snapshot {
	fields: SnapshotField[];
	/** Parts of the page that could not be looked into. */
	opaque?: Opaque[];
	/** There is more in the page than is told. */
	truncated?: boolean;
}

/**
 * What an agent gets to see of the forms in the page: every field that the person sees, without
 * secrets. The fields stay known, by `fieldId`, until the next snapshot of the same root.
 */
export function snapshot({ root = document }: SnapshotOptions = {}): Snapshot {
	return whileTaking(() => take(root));
}

function take(root: Root): Snapshot {
	const deadline = performance.now() + LIMITS.ms;
	const found = findFields(root);
	const references: Reference[] = [];
	const secrets = new Set<string>();
	let { truncated } = found;
	let characters = 0;
	for (const field of found.fields) {
		const full = references.length >= LIMITS.fields || characters > LIMITS.characters;
		if (full || performance.now() > deadline) {
			truncated = true;
			break;
		}
		const reference = describeSafely(field, secrets);
		if (reference === "unreadable") found.opaque.push({ reason: "unreadable" });
		if (typeof reference !== "object") continue;
		references.push(reference);
		characters += JSON.stringify(reference.told).length;
	}
	hideSplitCards(references, secrets);
	for (const reference of references) reference.told = redact(reference.told, secrets);
	keepReferences(root, references);
	return {
		fields: references.map(({ told }) => told),
		...(found.opaque.length > 0 && { opaque: found.opaque.slice(0, LIMITS.opaque) }),
		...(truncated && { truncated }),
	};
}

/** A field that fails to be read is left out; those after it are not. */
function describeSafely(
	field: FoundField,
	secrets: Set<string>,
): Reference | "hidden" | "unreadable" {
	try {
		const visible = isVisible(field);
		if (!visible && !mayHoldText(field)) return "hidden";
		const { told, secret } = describeField(field, idOf(field.element));
		// Of what is hidden, the secrets are still kept back from every other text.
		if (secret !== undefined) secrets.add(secret);
		return visible ? { ...field, told } : "hidden";
	} catch {
		return "unreadable";
	}
}

function mayHoldText({ kind }: FoundField): boolean {
	return kind === "text" || kind === "textarea" || kind === "richtext";
}

function hideSplitCards(references: readonly Reference[], secrets: Set<string>): void {
	const values = references.map(({ told }) => `${told.currentValue}`);
	for (const part of splitCardNumbers(values)) {
		const { told } = references[part]!;
		secrets.add(values[part]!);
		told.currentValue = "";
		told.filled = true;
	}
}
