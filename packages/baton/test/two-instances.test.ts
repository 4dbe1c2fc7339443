import { type RedisServer, requirePart, startRedis, type TempDir, tempDir } from "@baton/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Server, startServer } from "./support/baton";
import { allLines, attach, type Line, linesOf, readUntil, run, textOf } from "./support/turn";

const counted = (to: number) => Array.from({ length: to }, (_, i) => i + 1).join(" ");

describe.skipIf(!requirePart("redis-server"))("two instances on one Redis", () => {
	let redis: RedisServer;
	let home: TempDir;
	let one: Server;
	let other: Server;

	const start = () => startServer({ home: home.path, env: { REDIS_URL: redis.url } });

	beforeAll(async () => {
		redis = await startRedis();
		home = await tempDir("baton-two");
		one = await start();
		other = await start();
	});
	afterAll(async () => {
		await Promise.all([one.process.stop(), other.process.stop()]);
		await redis.stop();
		await home.remove();
	});

	it("a turn that one runs is followed on the other, from its start, line for line", async () => {
		const running = linesOf(await run(one, "count to 300 every 3ms", { session_id: "follow" }));
		const live: Line[] = [];
		live.push(await readUntil(running, ({ type }) => type === "input_admitted"));
		await readUntil(running, (line) => line.content === "20 " || line.content === " 20");
		const followed = await allLines(await attach(other, "follow"));
		for await (const line of running) live.push(line);
		expect(textOf(followed).trim()).toBe(counted(300));
		expect(followed.at(-1)).toEqual(live.at(-1));
		const seqs = followed.slice(1).map(({ seq }) => seq);
		expect(seqs).toEqual(seqs.map((_, i) => Number(seqs[0]) + i));
	});

	it("a request of a turn that one runs is answered on the other", async () => {
		const asked = linesOf(
			await run(one, "I am Ada Lovelace, ada@example.org", { session_id: "answer" }),
		);
		const request = await readUntil(asked, ({ type }) => type === "snapshot_request");
		const elsewhere = linesOf(await attach(other, "answer"));
		const relay = await readUntil(elsewhere, ({ type }) => type === "relay.session");
		const answer = (response: object) =>
			fetch(String(relay.relayUrl), {
				method: "POST",
				headers: { authorization: `Bearer ${String(relay.token)}` },
				body: JSON.stringify({ type: "relay.respond", sessionId: relay.sessionId, response }),
			});
		expect(String(relay.relayUrl)).toContain(new URL(other.url).host);
		const field = { fieldId: "f1", selector: "#name", kind: "text", label: "Name" };
		const fields = [{ ...field, required: true, currentValue: "" }];
		const { requestId } = request;
		const snapshot = await answer({ type: "snapshot_response", requestId, fields });
		expect(await snapshot.json()).toEqual({ ok: true });
		const execute = await readUntil(asked, ({ type }) => type === "execute_request");
		expect(execute.actions).toEqual([{ action: "fill", fieldId: "f1", value: "Ada Lovelace" }]);
		const report = { applied: 1, skipped: 0, warnings: [] };
		const done = { type: "execute_response", requestId: execute.requestId, report };
		expect((await answer(done)).status).toBe(200);
		const end = await readUntil(asked, ({ type }) => type === "result");
		expect(end.status).toBe("success");
		// The same again is fine, another answer is refused.
		expect((await answer(done)).status).toBe(200);
		expect((await answer({ ...done, report: { ...report, applied: 2 } })).status).toBe(422);
	});

	it("a turn that one runs is aborted on the other", async () => {
		const running = linesOf(await run(one, "count to 100000 every 5ms", { session_id: "abort" }));
		await readUntil(running, ({ type }) => type === "message");
		const answer = await other.call("abort", { session_id: "abort" });
		expect(await answer.json()).toEqual({ ok: true });
		const end = await readUntil(running, ({ type }) => type === "result");
		expect(end.status).toBe("aborted");
	});

	it("a turn whose instance is killed is ended by the other, and read there whole", async () => {
		const running = linesOf(await run(one, "count to 400 every 5ms", { session_id: "kill" }));
		await readUntil(running, (line) => String(line.content).trim() === "50");
		const following = attach(other, "kill").then(allLines);
		one.process.kill("SIGKILL");
		await one.process.exited;
		const lines = await following;
		one = await start();
		expect(lines.filter(({ type }) => type === "result")).toMatchObject([{ status: "success" }]);
		expect(lines.some(({ type }) => type === "recovered")).toBe(true);
		expect(textOf(lines).trim()).toBe(counted(400));
	});
});
