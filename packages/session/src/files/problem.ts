/** What the files driver found damaged, and mended, without an error for the caller. */
export interface FilesProblem {
	readonly kind:
		| "torn-line" // the end of a log was cut off in the middle of a line; set aside
		| "incomplete-batch" // the last batch of a log was not written whole; set aside
		| "bad-line" // a line is not JSON; it keeps its number, its text is set aside
		| "bad-journal" // lines of a session's journal could not be read and were left out
		| "lost-meta" // a log without its meta file; a new one was made
		| "corrupt-meta" // a meta file that is not a JSON object was moved aside; a new one was made
		| "sync-failed" // the device refused to confirm earlier writes
		| "removal-failed"; // the files of an expired session could not be removed yet
	readonly path: string;
	readonly detail: string;
}

export type ReportProblem = (problem: FilesProblem) => void;
