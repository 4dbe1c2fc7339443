import { basename, relative } from "node:path";

/** What a person types to run this command again: a clone has no `baton` in its PATH. */
export function commandName(script: string, folder: string): string {
	return basename(script) === "baton" ? "baton" : `node ${relative(folder, script)}`;
}
