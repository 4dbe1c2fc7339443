import { ndjsonParserStream } from "@baton/protocol";
import { watchedFetch } from "../link/watched-fetch";

/** An event of a log. Which fields it has depends on its type. */
export type LogEvent = { type: string; seq: number; run_id?: string } & Record<string, unknown>;

export interface EventsPage {
	first: number;
	last: number;
	after: number;
	reset: { reason: string; first: number } | null;
	events: LogEvent[];
}

/** A refusal, in the server's words. */
export class ConsoleError extends Error {
	readonly status: number;

	constructor(status: number, message: string) {
		super(message);
		this.status = status;
	}
}

export async function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
	const response = await checked(await fetch(`/api/sessions${path}`, signal ? { signal } : {}));
	return response.json() as Promise<T>;
}

export async function postAbort(id: string): Promise<void> {
	await checked(await fetch(`/api/sessions/${id}/abort`, { method: "POST" }));
}

/** The lines of an answer, as they come; `onOpen` when it begins. Leaving ends the connection. */
export async function* getLines<T>(
	path: string,
	signal: AbortSignal,
	onOpen?: () => void,
): AsyncGenerator<T> {
	const response = await checked(await watchedFetch(`/api/sessions${path}`, { signal }));
	onOpen?.();
	const reader = response.body!.pipeThrough(ndjsonParserStream()).getReader();
	try {
		for (;;) {
			const { done, value } = await reader.read();
			if (done) return;
			if (value.kind === "object") yield value.value as T;
		}
	} finally {
		void reader.cancel().catch(() => {});
	}
}

async function checked(response: Response): Promise<Response> {
	if (response.ok) return response;
	const { message } = (await response.json().catch(() => ({}))) as { message?: string };
	throw new ConsoleError(response.status, message ?? `The server answered ${response.status}.`);
}
