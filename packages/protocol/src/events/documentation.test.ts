import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type EventType, eventSchemas } from "./baton-event";

const protocol = readFileSync(new URL("../../../../docs/protocol.md", import.meta.url), "utf8");

const eventTables = protocol.split("\n## Events\n")[1]!.split("\n## ")[0]!;

/** Fields that are documented once, for every line. */
const envelope = ["type", "seq", "run_id", "timestamp", "traceparent"];

describe.each(Object.keys(eventSchemas) as EventType[])("docs/protocol.md on %s", (type) => {
	const row = eventTables.split("\n").filter((line) => line.startsWith(`| \`${type}\` |`));
	const { shape } = eventSchemas[type];

	it("has one row, with every field and whether it is optional", () => {
		expect(row).toHaveLength(1);
		const fields = row[0]!.split(" | ")[1]!;
		const documented = Array.from(
			fields.matchAll(/`(\w+)(\[\])?(\?)?`/g),
			([, name, , optional]) => {
				return `${name}${optional ?? ""}`;
			},
		);
		const declared = Object.entries(shape)
			.filter(([name]) => !envelope.includes(name))
			.map(([name, schema]) => (schema.safeParse(undefined).success ? `${name}?` : name));
		expect(documented).toEqual(expect.arrayContaining(declared));
	});
});
