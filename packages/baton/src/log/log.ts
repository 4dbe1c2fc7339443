/** What the server writes down. Details first, then a sentence. */
export interface Log {
	debug(details: Record<string, unknown>, message: string): void;
	info(details: Record<string, unknown>, message: string): void;
	warn(details: Record<string, unknown>, message: string): void;
	error(details: Record<string, unknown>, message: string): void;
	fatal(details: Record<string, unknown>, message: string): void;
}
