import { appendEvent, readEvents, type TranscriptEvent } from "./transcript";

/** Where a session's events are written to and read from. */
export interface Transcript {
	append(event: TranscriptEvent): Promise<void>;
	read(): Promise<TranscriptEvent[]>;
}

export function fileTranscript(path: string): Transcript {
	return {
		append: (event) => appendEvent(path, event),
		read: () => readEvents(path),
	};
}
