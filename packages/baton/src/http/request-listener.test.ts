import { once } from "node:events";
import { connect } from "node:net";
import { waitFor } from "@baton/testkit";
import { textStream } from "@giselles-ai/browser-tool/relay";
import { afterEach, describe, expect, it } from "vitest";
import { type Listening, listen } from "./listen";
import { createRequestListener, type Fetch } from "./request-listener";

let door: Listening | undefined;
const errors: unknown[] = [];

async function serve(fetch: Fetch): Promise<string> {
	errors.length = 0;
	door = await listen(
		createRequestListener(fetch, (error) => errors.push(error)),
		{
			host: "127.0.0.1",
			port: 0,
			variables: { host: "HOST", port: "PORT" },
		},
	);
	return door.url;
}

afterEach(() => {
	door?.server.closeAllConnections();
	door?.server.close();
});

const bytes = (text: string) => new TextEncoder().encode(text);

/** Resolves when a source has given something, and gives no more. */
async function standsStill(given: () => number): Promise<void> {
	let before = 0;
	await waitFor(
		() => {
			const still = given() > 0 && given() === before;
			before = given();
			return still;
		},
		{ everyMs: 100, what: "the source to stand still" },
	);
}

describe("the request listener", () => {
	it("hands over method, address, headers and body", async () => {
		const url = await serve(async (request) =>
			Response.json({
				method: request.method,
				url: request.url,
				header: request.headers.get("x-thing"),
				body: await request.text(),
			}),
		);
		const response = await fetch(`${url}/a/b?c=d`, {
			method: "PUT",
			headers: { "x-thing": "yes" },
			body: "Grüße 🎉",
		});
		const body = "Grüße 🎉";
		expect(await response.json()).toEqual({
			method: "PUT",
			url: `${url}/a/b?c=d`,
			header: "yes",
			body,
		});
	});

	it("hands over all that a web request has", async () => {
		const url = await serve(async (request) => {
			const { cache, redirect, bodyUsed } = request;
			const copy = await request.clone().text();
			const whole = await request.json();
			const used = request.bodyUsed;
			return Response.json({
				...{ isRequest: request instanceof Request, cache, redirect, bodyUsed, used },
				...{ copy, whole },
			});
		});
		const response = await fetch(url, { method: "POST", body: '{"a":1}' });
		expect(await response.json()).toEqual({
			...{ isRequest: true, cache: "default", redirect: "follow", bodyUsed: false, used: true },
			...{ copy: '{"a":1}', whole: { a: 1 } },
		});
	});

	it("tells one who asks late that the connection is closed", async () => {
		let late: Request | undefined;
		const url = await serve(async (request) => {
			late = request;
			return new Response("done");
		});
		await (await fetch(url, { headers: { connection: "close" } })).text();
		await waitFor(() => late?.signal.aborted === true, { what: "the signal" });
		expect(late?.signal.reason.name).toBe("AbortError");
	});

	it("sends the head before the first piece, and each piece when it comes", async () => {
		let send = (_: string) => {};
		const url = await serve(async () => {
			const start = (controller: ReadableStreamDefaultController) => {
				send = (text) => controller.enqueue(bytes(text));
			};
			return new Response(new ReadableStream({ start }));
		});
		const response = await fetch(url);
		const reader = response.body!.getReader();
		for (const line of ["one\n", "two\n", "three\n"]) {
			send(line);
			expect(new TextDecoder().decode((await reader.read()).value)).toBe(line);
		}
		await reader.cancel();
	});

	it("holds the source back while the reader does not read, and stops it when the reader goes", async () => {
		let made = 0;
		let cancelled = false;
		const url = await serve(async () => {
			const piece = new Uint8Array(64 * 1024);
			const source = {
				pull(controller: ReadableStreamDefaultController) {
					made += piece.length;
					controller.enqueue(piece);
				},
				cancel() {
					cancelled = true;
				},
			};
			return new Response(new ReadableStream(source, { highWaterMark: 0 }));
		});
		const socket = connect(Number(new URL(url).port), "127.0.0.1");
		socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
		socket.pause();
		await standsStill(() => made);
		expect(made).toBeLessThan(32 * 1024 * 1024);
		socket.destroy();
		await waitFor(() => cancelled, { what: "the source to be cancelled" });
	});

	it("cancels a source that waits, and aborts the request's signal, when the reader goes", async () => {
		let cancelled = false;
		let signal: AbortSignal | undefined;
		const url = await serve(async (request) => {
			signal = request.signal;
			const start = (controller: ReadableStreamDefaultController) => controller.enqueue(bytes("x"));
			const cancel = () => {
				cancelled = true;
			};
			return new Response(new ReadableStream({ start, cancel }));
		});
		const leave = new AbortController();
		const response = await fetch(url, { signal: leave.signal });
		await response.body!.getReader().read();
		leave.abort();
		await waitFor(() => cancelled && signal?.aborted, { what: "the end of the source" });
	});

	it("reads a source of text itself, at the reader's pace, and stops it when the reader goes", async () => {
		let taken = 0;
		let stopped = false;
		const piece = "é".repeat(32 * 1024);
		async function* pieces() {
			while (!stopped) {
				taken += piece.length;
				yield piece;
			}
		}
		const stop = () => {
			stopped = true;
		};
		const url = await serve(async () => new Response(textStream(pieces(), stop)));
		const socket = connect(Number(new URL(url).port), "127.0.0.1");
		socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
		const [start] = (await once(socket, "data")) as [Buffer];
		expect(start.toString()).toContain("é");
		socket.pause();
		await standsStill(() => taken);
		expect(taken).toBeLessThan(32 * 1024 * 1024);
		socket.destroy();
		await waitFor(() => stopped, { what: "the source to be stopped" });
	});

	it("cuts an answer whose source of text fails halfway", async () => {
		async function* pieces() {
			yield "half";
			throw new Error("broken");
		}
		const url = await serve(async () => new Response(textStream(pieces(), () => {})));
		const response = await fetch(url);
		await expect(response.text()).rejects.toThrow();
	});

	it("cuts an answer whose source fails halfway", async () => {
		const url = await serve(async () => {
			let pieces = 0;
			const pull = (controller: ReadableStreamDefaultController) => {
				if (pieces++ > 0) throw new Error("broken");
				controller.enqueue(bytes("half"));
			};
			return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }));
		});
		const response = await fetch(url);
		await expect(response.text()).rejects.toThrow();
	});

	it("answers a request that it has not read to its end", async () => {
		const url = await serve(async (request) => {
			for await (const _ of request.body!) break;
			return new Response("too large", { status: 413 });
		});
		const response = await fetch(url, { method: "POST", body: new Uint8Array(4 * 1024 * 1024) });
		expect(response.status).toBe(413);
		expect(await response.text()).toBe("too large");
	});

	it("answers 500 when the handler throws, and says nothing of why", async () => {
		const url = await serve(async () => {
			throw new Error("a secret of ours");
		});
		const response = await fetch(url);
		expect(response.status).toBe(500);
		expect(await response.text()).not.toContain("secret");
		expect(errors).toHaveLength(1);
	});

	it.each([
		["a host with a path in it", "GET / HTTP/1.1\r\nHost: evil/path\r\n\r\n"],
		["an address in place of a path", "GET http://evil/ HTTP/1.1\r\nHost: x\r\n\r\n"],
		["a method that the web forbids", "TRACE / HTTP/1.1\r\nHost: x\r\n\r\n"],
	])("answers 400 to %s", async (_, head) => {
		await serve(async () => new Response("never"));
		const socket = connect(door!.port, "127.0.0.1");
		socket.write(head);
		const [data] = (await once(socket, "data")) as [Buffer];
		expect(data.toString()).toMatch(/^HTTP\/1.1 400 /);
		socket.destroy();
	});

	it("sends no body for HEAD", async () => {
		const url = await serve(async () => new Response("hello", { headers: { "x-a": "b" } }));
		const response = await fetch(url, { method: "HEAD" });
		expect(response.headers.get("x-a")).toBe("b");
		expect(await response.text()).toBe("");
	});
});
