import type { SessionState } from "@baton/protocol";

/** What the person looks for. Empty: everything. */
export interface SessionFilter {
	q: string;
	state: SessionState | "";
	door: string;
	agent: string;
}

export const EVERYTHING: SessionFilter = { q: "", state: "", door: "", agent: "" };

export function isFiltering(filter: SessionFilter): boolean {
	return Object.values(filter).some((value) => value !== "");
}

/** The filter as a query, without what is empty. */
export function queryOf(filter: SessionFilter): URLSearchParams {
	return new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ""));
}
