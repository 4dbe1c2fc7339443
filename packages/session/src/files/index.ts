import type { Store } from "../port";
import { createStore } from "../store";
import { FilesDriver } from "./files-driver";
import { type FilesStoreOptions, parseOptions } from "./options";

export type { FilesStoreOptions } from "./options";
export type { FilesProblem } from "./problem";

/**
 * A store in a folder of plain files, for one process at a time: `<dir>/<collection>/<id>.meta.json`
 * is a record, `<id>.jsonl` its transcript, line n being event n. Rejects with `locked` while another
 * process owns the folder, and with `read_only` when it cannot be written.
 */
export async function openFilesStore(options: FilesStoreOptions): Promise<Store> {
	return createStore(await FilesDriver.open(parseOptions(options)));
}
