import { z } from "zod";

/*
 * One line of a session's journal: a change of its counters, registers, idempotency results or
 * fencing token. A line with `log` and `last` goes with the events up to `last` of that log: it is
 * written before them, and counts only if they are there.
 */
const journalEntry = z.strictObject({
	log: z.string().optional(),
	first: z.int().optional(),
	last: z.int().optional(),
	once: z.strictObject({ key: z.string(), digest: z.string() }).optional(),
	register: z.strictObject({ name: z.string(), value: z.string().nullable() }).optional(),
	counter: z.strictObject({ name: z.string(), value: z.int() }).optional(),
	token: z.int().optional(),
});

export type JournalEntry = z.infer<typeof journalEntry>;

export function encodeEntry(entry: JournalEntry): string {
	return `${JSON.stringify(entry)}\n`;
}

export function decodeEntry(line: string): JournalEntry | null {
	try {
		return journalEntry.parse(JSON.parse(line));
	} catch {
		return null;
	}
}
