import type { z } from "zod";
import type { eventData } from "../protocol/frames";
import type { METHOD_PARAMS } from "../protocol/methods";
import type { results } from "../protocol/results";

/* The wire as types: made from the schemas that the gateway checks with, none of which is loaded. */

export type Method = keyof typeof results;
export type Params<M extends Method> = z.input<(typeof METHOD_PARAMS)[M]>;
export type Result<M extends Method> = z.output<(typeof results)[M]>;

type EventName = keyof typeof eventData;

/** An event of the gateway. `event` tells which fields `data` has. */
export type GatewayEvent = {
	[E in EventName]: { event: E; data: z.output<(typeof eventData)[E]> };
}[EventName];

/** A frame from the server, as far as it is looked at. */
export interface ServerFrame {
	id?: string | number | null;
	result?: unknown;
	error?: { code: number; message: string; data?: { type?: string; retryable?: boolean } };
	type?: string;
	ok?: boolean;
	event?: string;
	data?: { sessionKey?: string; seq?: number } & Record<string, unknown>;
}

/** The part of a WebSocket that is used: the browser's, and that of `ws`. */
export interface SocketLike {
	send(data: string): void;
	close(code?: number, reason?: string): void;
	onopen: ((event: never) => void) | null;
	onmessage: ((event: never) => void) | null;
	onclose: ((event: never) => void) | null;
	onerror: ((event: never) => void) | null;
}

export type SocketConstructor = new (url: string) => SocketLike;
