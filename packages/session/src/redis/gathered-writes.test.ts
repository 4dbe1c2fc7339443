import { Writable } from "node:stream";
import type { Redis } from "ioredis";
import { describe, expect, it } from "vitest";
import { GatheredWrites } from "./gathered-writes";

/** A socket that notes what each write to it holds. */
class NotedStream extends Writable {
	readonly writes: string[] = [];

	override _write(chunk: Buffer, _: string, done: () => void): void {
		this.writes.push(chunk.toString());
		done();
	}

	override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
		this.writes.push(chunks.map(({ chunk }) => chunk.toString()).join(""));
		done();
	}
}

describe("gathered writes", () => {
	function open() {
		const client = { stream: new NotedStream() };
		const gathered = new GatheredWrites(client as unknown as Redis);
		const send = (...texts: string[]) => {
			gathered.begin(texts.length > 1);
			for (const text of texts) client.stream.write(text);
			gathered.sent();
		};
		return { client, send };
	}
	const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

	it("are the first command at once, and one write for those after it in a turn of the loop", async () => {
		const { client, send } = open();
		send("a");
		expect(client.stream.writes).toEqual(["a"]);
		await Promise.resolve();
		send("b");
		send("c");
		expect(client.stream.writes).toEqual(["a"]);
		await nextTurn();
		expect(client.stream.writes).toEqual(["a", "bc"]);
		send("d");
		expect(client.stream.writes).toEqual(["a", "bc", "d"]);
	});

	it("are one write for commands that are sent together, also when they are the first", async () => {
		const { client, send } = open();
		send("a", "b", "c");
		expect(client.stream.writes).toEqual(["abc"]);
		send("d", "e");
		send("f");
		await nextTurn();
		expect(client.stream.writes).toEqual(["abc", "def"]);
	});

	it("do not hold back much", async () => {
		const { client, send } = open();
		const large = "x".repeat(20_000);
		send("a");
		send("b");
		send(large);
		expect(client.stream.writes).toEqual(["a", `b${large}`]);
		send("c");
		await nextTurn();
		expect(client.stream.writes).toEqual(["a", `b${large}`, "c"]);
	});

	it("follow a client to its next connection", async () => {
		const { client, send } = open();
		const before = client.stream;
		send("a");
		send("b");
		client.stream = new NotedStream();
		send("c");
		send("d");
		await nextTurn();
		expect(before.writes).toEqual(["a", "b"]);
		expect(client.stream.writes).toEqual(["c", "d"]);
	});
});
