import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readStream } from "../../src/agentforce/read-stream";

const RUNS = { numRuns: process.env.BATON_FULL ? 2_000 : 50 };

/** An answer whose body comes in these pieces. */
function answerOf(pieces: readonly Uint8Array[]): Response {
	const body = new ReadableStream<Uint8Array>({
		start(controller) {
			for (const piece of pieces) controller.enqueue(piece);
			controller.close();
		},
	});
	return new Response(body);
}

function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
	const sorted = places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b);
	return [0, ...sorted].map((from, i) => bytes.slice(from, sorted[i] ?? bytes.length));
}

async function messagesOf(pieces: readonly Uint8Array[]) {
	const messages: unknown[] = [];
	for await (const message of readStream(answerOf(pieces), 5_000)) messages.push(message);
	return messages;
}

describe("a stream of Agentforce", () => {
	it("says the same wherever the network cuts it, inside characters too", async () => {
		const message = fc.record({
			type: fc.constant("TextChunk"),
			message: fc.string({ unit: "binary" }),
		});
		await fc.assert(
			fc.asyncProperty(fc.array(message), fc.array(fc.nat()), async (messages, places) => {
				const events = messages.map(
					(one) => `event: TEXT_CHUNK\ndata: ${JSON.stringify({ offset: 1, message: one })}\n\n`,
				);
				const bytes = new TextEncoder().encode(events.join(""));
				const wellFormed = messages.map((one) => JSON.parse(JSON.stringify(one)));
				expect(await messagesOf(cut(bytes, places))).toMatchObject(wellFormed);
			}),
			RUNS,
		);
	});

	it("ends, whatever bytes it is of, and gives nothing that is no message", async () => {
		const noise = fc.oneof(
			fc.uint8Array({ maxLength: 64 }),
			fc.json().map((text) => new TextEncoder().encode(`data: ${text}\n\n`)),
			fc.string().map((text) => new TextEncoder().encode(`event: ${text}\n`)),
		);
		await fc.assert(
			fc.asyncProperty(fc.array(noise), async (pieces) => {
				for (const message of await messagesOf(pieces)) {
					expect(message).toMatchObject({ type: expect.any(String) });
				}
			}),
			RUNS,
		);
	});

	it("does not keep an event that never ends", async () => {
		const piece = new TextEncoder().encode("x".repeat(512 * 1024));
		const endless = [
			new TextEncoder().encode("data: "),
			...Array.from({ length: 12 }, () => piece),
		];
		await expect(messagesOf(endless)).rejects.toMatchObject({ name: "AgentforceError" });
	});
});
