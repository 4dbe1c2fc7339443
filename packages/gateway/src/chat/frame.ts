import type { ChatEvent } from "./chat-event";

/** Frames are sent as they are encoded: the same bytes to everyone. */
export type Frame = Buffer;

export function encodeFrame(value: unknown): Frame {
	return Buffer.from(JSON.stringify(value));
}

/** A chat event as a frame. `namesAborted`: for those who asked to be told of a stop by that name. */
export function chatFrame(event: ChatEvent, namesAborted = false): Frame {
	const { type, ...data } = event;
	const name = namesAborted && type === "error" && "aborted" in data ? "aborted" : type;
	return encodeFrame({ event: `chat.${name}`, data });
}
