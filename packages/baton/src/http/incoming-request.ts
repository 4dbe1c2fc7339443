import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";

/** Why a request is over, when nobody waits for its answer. One for all: making one takes a while. */
const CLOSED = new DOMException("The connection was closed.", "AbortError");

/**
 * A request of Node's server as a web one. A `Request` of Node's own takes as long to make as the rest
 * of a small answer, so the parts that few ask for are made when they are asked for.
 */
export class IncomingRequest {
	readonly method: string;
	readonly url: string;
	readonly headers: Headers;
	readonly #incoming: IncomingMessage;
	readonly #outgoing: ServerResponse;
	#signal: AbortSignal | undefined;
	#body: ReadableStream | undefined;
	#whole: Request | undefined;

	constructor(url: string, headers: Headers, incoming: IncomingMessage, outgoing: ServerResponse) {
		this.method = incoming.method ?? "GET";
		this.url = url;
		this.headers = headers;
		this.#incoming = incoming;
		this.#outgoing = outgoing;
	}

	/** Aborted when the connection is closed, also after the answer. */
	get signal(): AbortSignal {
		this.#signal ??= untilClosed(this.#outgoing);
		return this.#signal;
	}

	/** The other end of the connection, which may be a proxy. */
	get address(): string | undefined {
		// An IPv4 address on a socket of both kinds is the same address.
		return this.#incoming.socket.remoteAddress?.replace(/^::ffff:/i, "");
	}

	get body(): ReadableStream | null {
		if (this.method === "GET" || this.method === "HEAD") return null;
		this.#body ??= Readable.toWeb(this.#incoming) as ReadableStream;
		return this.#body;
	}

	/** All of the body: twice as fast as by its stream. */
	async arrayBuffer(): Promise<ArrayBuffer> {
		if (this.#body || this.#whole || this.#incoming.readableDidRead)
			return this.whole.arrayBuffer();
		const bytes = await readAll(this.#incoming);
		return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
	}

	/** The request as Node makes one. */
	get whole(): Request {
		const { method, url, headers, signal, body } = this;
		this.#whole ??= new Request(url, {
			...{ method, headers, signal },
			...(body && { body, duplex: "half" }),
		} as RequestInit);
		return this.#whole;
	}
}

const FIELDS = ["method", "url", "headers"];

/* Whatever else a `Request` has is that of the whole one. */
const rest = Object.entries(Object.getOwnPropertyDescriptors(Request.prototype));
for (const [name, { get }] of rest) {
	if (Object.hasOwn(IncomingRequest.prototype, name) || FIELDS.includes(name)) continue;
	const partOf = ({ whole }: IncomingRequest) => whole[name as keyof Request];
	Object.defineProperty(IncomingRequest.prototype, name, {
		get(this: IncomingRequest) {
			const part = partOf(this);
			return get ? part : (part as () => unknown).bind(this.whole);
		},
	});
}
Object.setPrototypeOf(IncomingRequest.prototype, Request.prototype);

function readAll(incoming: IncomingMessage): Promise<Buffer> {
	return new Promise((resolve, reject) => {
		const pieces: Buffer[] = [];
		incoming.on("data", (piece: Buffer) => pieces.push(piece));
		incoming.once("end", () => resolve(pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)));
		incoming.once("error", reject);
		incoming.once("close", () => reject(new TypeError("The body did not come to its end.")));
	});
}

function untilClosed(outgoing: ServerResponse): AbortSignal {
	const gone = new AbortController();
	if (outgoing.closed) gone.abort(CLOSED);
	else outgoing.once("close", () => gone.abort(CLOSED));
	return gone.signal;
}
