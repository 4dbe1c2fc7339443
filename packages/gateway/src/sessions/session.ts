import { join } from "node:path";
import { fileTranscript, type Transcript } from "./file-transcript";
import type { TranscriptEvent } from "./transcript";

export interface SessionMeta {
	key: string;
	agentId: string;
	/** Unix ms. */
	createdAt: number;
	updatedAt: number;
	label?: string;
}

/** One conversation: what is known about it, and its transcript. */
export class Session {
	readonly meta: SessionMeta;
	/** Where the transcript is when sessions are kept in files. */
	readonly transcriptPath: string;
	readonly #transcript: Transcript;

	/** Without a `transcript` it is the file at `transcriptPath`. */
	constructor(meta: SessionMeta, sessionsDir: string, transcript?: Transcript) {
		this.meta = meta;
		this.transcriptPath = join(sessionsDir, `${meta.key}.jsonl`);
		this.#transcript = transcript ?? fileTranscript(this.transcriptPath);
	}

	async appendEvent(event: TranscriptEvent): Promise<void> {
		await this.#transcript.append(event);
	}

	async readEvents(): Promise<TranscriptEvent[]> {
		return this.#transcript.read();
	}
}
