/** A line of the agent API. Which fields it has depends on its type; what is used is checked. */
export type Line = { type: string; seq?: number; run_id?: string } & Record<string, unknown>;
