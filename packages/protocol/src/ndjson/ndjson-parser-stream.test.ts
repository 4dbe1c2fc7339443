import { expect, it } from "vitest";
import type { NdjsonItem } from "./ndjson-item";
import { ndjsonParserStream } from "./ndjson-parser-stream";

async function collect(chunks: (Uint8Array | string)[], maxLineBytes?: number) {
	const source = new ReadableStream<Uint8Array | string>({
		start(controller) {
			for (const chunk of chunks) controller.enqueue(chunk);
			controller.close();
		},
	});
	const items: NdjsonItem[] = [];
	for await (const item of source.pipeThrough(ndjsonParserStream({ maxLineBytes }))) {
		items.push(item);
	}
	return items;
}

it("turns a stream of bytes into items, and the end of the stream into the last one", async () => {
	const bytes = new TextEncoder().encode('{"t":"🎉"}\n\n{"t":"ö');
	expect(await collect([bytes.subarray(0, 8), bytes.subarray(8)])).toEqual([
		{ kind: "object", value: { t: "🎉" }, line: '{"t":"🎉"}' },
		{ kind: "junk", reason: "truncated", line: '{"t":"ö' },
	]);
});

it("hands its options to the parser", async () => {
	const items = await collect([`{"text":"${"x".repeat(1024)}"}\n{"n":1}\n`], 1024);
	expect(items.map((item) => item.kind)).toEqual(["junk", "object"]);
});

it("passes a line on while the stream is open", async () => {
	const { readable, writable } = ndjsonParserStream();
	const reader = readable.getReader();
	const writer = writable.getWriter();
	const read = reader.read();
	await writer.write('{"n":1}\n{"n":');
	expect((await read).value).toMatchObject({ value: { n: 1 } });
});

it("reads the body of a response", async () => {
	const body = new Response('{"n":1}\n').body;
	const reader = body?.pipeThrough(ndjsonParserStream()).getReader();
	expect((await reader?.read())?.value).toMatchObject({ value: { n: 1 } });
});
