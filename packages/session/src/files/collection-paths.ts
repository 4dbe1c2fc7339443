import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { BatonError } from "../errors";

/** The log that has a session's plain file name, `<id>.jsonl`. */
const TRANSCRIPT = "transcript";
const FILE_NAME = /^[A-Za-z0-9_-][A-Za-z0-9_.@-]{0,250}$/;
const META = /^([A-Za-z0-9_-]{1,128})\.meta\.json$/;
const JOURNAL = /^([A-Za-z0-9_-]{1,128})\.journal\.jsonl$/;
const LOG = /^([A-Za-z0-9_-]{1,128})(?:\.([a-z][a-z0-9-]{0,31}))?(?:\.@([1-9]\d{0,15}))?\.jsonl$/;

type SessionFile =
	| { kind: "meta"; id: string }
	| { kind: "log"; id: string; log: string; first: number };

/**
 * Where the files of a collection are. People and other programs see `<id>.meta.json` and the logs;
 * everything else is in `.baton`. Every path is made here, by `inside`, which cannot leave its folder.
 */
export class CollectionPaths {
	readonly folder: string;
	readonly housekeeping: string;
	readonly temp: string;
	/** Meta files of sessions whose removal began and is to be finished. */
	readonly deleted: string;
	readonly index: string;
	readonly alarms: string;

	constructor(dir: string, collection: string) {
		this.folder = inside(dir, collection);
		this.housekeeping = join(this.folder, ".baton");
		this.temp = join(this.housekeeping, "tmp");
		this.deleted = join(this.housekeeping, "deleted");
		this.index = join(this.housekeeping, "index.jsonl");
		this.alarms = join(this.housekeeping, "alarms.jsonl");
	}

	meta(id: string): string {
		return inside(this.folder, `${id}.meta.json`);
	}

	/** `first` is the event on line 1: the file of a trimmed log says so in its name. */
	log(id: string, log: string, first: number): string {
		const stem = log === TRANSCRIPT ? id : `${id}.${log}`;
		return inside(this.folder, first > 1 ? `${stem}.@${first}.jsonl` : `${stem}.jsonl`);
	}

	journal(id: string): string {
		return inside(this.housekeeping, `${id}.journal.jsonl`);
	}

	offsets(id: string, log: string): string {
		return inside(this.housekeeping, `${id}.${log}.idx`);
	}

	badLines(id: string, log: string): string {
		return inside(this.housekeeping, `${id}.${log}.bad.jsonl`);
	}

	badMeta(id: string, now: number): string {
		return inside(this.housekeeping, `${id}.meta.${now}.bad.json`);
	}

	tombstone(id: string): string {
		return inside(this.deleted, id);
	}

	/** A file that is not there: the folder is cleared when the collection is opened. */
	nextTemp(): string {
		return inside(this.temp, `${MARK}-${nextTemp++}`);
	}
}

/** Names of its own for each process, also for those of other containers. */
const MARK = randomBytes(6).toString("hex");
let nextTemp = 1;

/** Which session a file of the folder belongs to; null for a file that is not ours. */
export function parseFileName(name: string): SessionFile | null {
	const meta = META.exec(name);
	if (meta) return { kind: "meta", id: meta[1] as string };
	const log = LOG.exec(name);
	if (!log || log[2] === TRANSCRIPT) return null;
	return {
		kind: "log",
		id: log[1] as string,
		log: log[2] ?? TRANSCRIPT,
		first: Number(log[3] ?? 1),
	};
}

/** The session whose journal has this name. */
export function journalOwner(name: string): string | null {
	return JOURNAL.exec(name)?.[1] ?? null;
}

function inside(folder: string, name: string): string {
	if (!FILE_NAME.test(name)) {
		throw new BatonError("invalid", `${JSON.stringify(name)} cannot be the name of a file.`);
	}
	return join(folder, name);
}
