import { z } from "zod";
import { BatonError } from "../errors";
import type { FilesProblem, ReportProblem } from "./problem";

const schema = z.strictObject({
	/** The data folder; made when missing. One process at a time owns it. */
	dir: z.string().min(1),
	/**
	 * When written data is forced onto the device. A killed process loses nothing in any mode; when
	 * the power or the kernel fails, `never` risks what the kernel had not written back yet (often 30
	 * seconds), `interval` about the last second, `always` nothing that was acknowledged.
	 */
	fsync: z.enum(["never", "interval", "always"]).default("interval"),
	/** Told of damage that was found and mended. Default: a process warning. */
	onProblem: z
		.custom<ReportProblem>((value) => typeof value === "function", "must be a function")
		.default(() => warn),
	/** How often expired sessions are looked for and their files removed. */
	sweepMs: z.int().min(10).max(86_400_000).default(60_000),
});

export type FilesStoreOptions = z.input<typeof schema>;
export type FilesSettings = z.output<typeof schema>;

export function parseOptions(options: FilesStoreOptions): FilesSettings {
	const parsed = schema.safeParse(options);
	if (parsed.success) return parsed.data;
	throw new BatonError("invalid", `Options of the files store: ${z.prettifyError(parsed.error)}`);
}

function warn({ kind, path, detail }: FilesProblem): void {
	process.emitWarning(`${path}: ${detail}`, { type: "BatonFilesProblem", code: kind });
}
