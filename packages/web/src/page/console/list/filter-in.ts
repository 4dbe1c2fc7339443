import { SESSION_STATES } from "@baton/protocol";
import * as z from "zod";
import type { SessionFilter } from "./session-filter";

const text = z.string().max(200).catch("");
const filterSchema = z.object({
	q: text,
	state: z.enum([...SESSION_STATES, ""]).catch(""),
	door: text,
	agent: text,
});

/** The filter that an address asks for; what is not understood counts as empty. */
export function filterIn(query: Record<string, string | string[] | undefined>): SessionFilter {
	return filterSchema.parse(query);
}
