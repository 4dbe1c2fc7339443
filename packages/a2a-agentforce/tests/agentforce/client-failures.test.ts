import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { beforeEach, describe, expect, it } from "vitest";
import type { AgentforceClient } from "../../src/agentforce";
import type { Endpoint } from "../../src/simulator";
import { all, failsAs, useSimulator } from "./use-simulator";

const on = useSimulator();
const { open, callsTo } = on;

describe("a failure of Agentforce", () => {
	let client: AgentforceClient;
	let sessionId: string;
	beforeEach(async () => {
		client = open();
		({ sessionId } = await client.startSession());
	});

	const sequenceIdsOf = (at: Endpoint) =>
		callsTo(at).map(({ body }) => (body as { message: { sequenceId: number } }).message.sequenceId);

	const send = {
		message: () => client.send({ sessionId, sequenceId: 7, text: "Hi" }),
		stream: () => all(client.stream({ sessionId, sequenceId: 7, text: "Hi" })),
	};

	describe.each(["message", "stream"] as const)("at a %s", (at) => {
		it.each([502, 503, 504])("%i is tried once more, with the same sequence id", async (status) => {
			on.simulator.fault({ at, status });
			expect(await send[at]()).not.toHaveLength(0);
			expect(sequenceIdsOf(at)).toEqual([7, 7]);
			await client.endSession(sessionId, "Other");
			({ sessionId } = await client.startSession());
			on.simulator.fault({ at, status }, 2);
			await expect(send[at]()).rejects.toEqual(failsAs("unavailable", true));
			expect(sequenceIdsOf(at)).toHaveLength(4);
		});

		it("a connection that is cut before the answer is tried once more", async () => {
			on.simulator.fault({ at, drop: true });
			expect(await send[at]()).not.toHaveLength(0);
			expect(sequenceIdsOf(at)).toEqual([7, 7]);
		});

		it("423 is waited out, with the same sequence id", async () => {
			on.simulator.fault({ at, status: 423 }, 3);
			expect(await send[at]()).not.toHaveLength(0);
			expect(sequenceIdsOf(at)).toEqual([7, 7, 7, 7]);
		});

		it("423 that does not pass is an error", async () => {
			on.simulator.fault({ at, status: 423 }, 1_000);
			client = open({ busyMs: 100 });
			await expect(send[at]()).rejects.toEqual(failsAs("busy", true));
		});

		it("429 is waited out as it says", async () => {
			on.simulator.fault({ at, status: 429, retryAfter: "1" });
			const before = performance.now();
			expect(await send[at]()).not.toHaveLength(0);
			expect(performance.now() - before).toBeGreaterThan(900);
		});

		it.each([
			["goes on", { status: 429 }, 10],
			["asks for a wait that is too long", { status: 429, retryAfter: "3600" }, 1],
		])("429 that %s is an error", async (_, how, times) => {
			on.simulator.fault({ at, ...how }, times);
			await expect(send[at]()).rejects.toEqual(failsAs("rate_limited", true));
			expect(callsTo(at).length).toBeLessThanOrEqual(4);
		});

		it.each([
			[400, "refused", false],
			[403, "refused", false],
			[404, "session_gone", true],
			[500, "failed", true],
		] as const)("%i is %s, and is not tried again", async (status, kind, retryable) => {
			on.simulator.fault({ at, status });
			await expect(send[at]()).rejects.toEqual(failsAs(kind, retryable));
			expect(callsTo(at)).toHaveLength(1);
		});

		it("silence is a timeout, and is not tried again", async () => {
			on.simulator.fault({ at, hang: true });
			client = open({ answerMs: 200 });
			await expect(send[at]()).rejects.toEqual(failsAs("timeout", true));
			expect(callsTo(at)).toHaveLength(1);
		});

		it("says nothing of what Salesforce said, and keeps that for the log", async () => {
			const body = { requestId: "r-1", error: "Boom", message: "at com.salesforce.Secret(42)" };
			on.simulator.fault({ at, status: 500, body });
			const error = await send[at]().catch((reason: unknown) => reason as Error);
			expect((error as Error).message).not.toMatch(/Boom|Secret/);
			expect(error).toMatchObject({ details: "r-1 Boom at com.salesforce.Secret(42)" });
		});

		it("an abort stops it there, with the reason", async () => {
			const stop = new AbortController();
			const message = { sessionId, sequenceId: 7, text: "/wait 60s", signal: stop.signal };
			const answer = at === "message" ? client.send(message) : all(client.stream(message));
			await expect.poll(() => callsTo(at).length).toBe(1);
			stop.abort(new Error("enough"));
			await expect(answer).rejects.toThrow("enough");
			await expect.poll(() => callsTo(at)[0]?.aborted).toBe(true);
		});
	});

	it("an abort reaches a stream that has been running for long", async () => {
		setFlagsFromString("--expose-gc");
		const collectGarbage = runInNewContext("gc") as () => void;
		const stop = new AbortController();
		const message = { sessionId, sequenceId: 1, text: "count to 10000 every 5ms" };
		let seen = 0;
		const read = async () => {
			for await (const _ of client.stream({ ...message, signal: stop.signal })) {
				seen += 1;
				if (seen % 10 === 0) collectGarbage();
				if (seen === 50) stop.abort(new Error("enough"));
			}
		};
		await expect(read()).rejects.toThrow("enough");
		expect(seen).toBe(50);
		await expect.poll(() => callsTo("stream")[0]?.aborted).toBe(true);
	});

	it("an abort does not wait for a login that hangs", async () => {
		on.simulator.revokeTokens();
		on.simulator.fault({ at: "token", hang: true }, 2);
		const starting = open({ callMs: 60_000 }).startSession(AbortSignal.timeout(50));
		await expect(starting).rejects.toThrow(/timeout/);
	});

	it("404 at the start is a wrong host or agent", async () => {
		await expect(open({}, { agentId: "other" }).startSession()).rejects.toEqual(
			failsAs("refused", false),
		);
	});

	it("a stream that is cut is an error, after what came before", async () => {
		on.simulator.fault({ at: "stream", cutAfter: 3 });
		const seen: string[] = [];
		const read = async () => {
			const message = { sessionId, sequenceId: 1, text: "count to 9" };
			for await (const { type } of client.stream(message)) seen.push(type);
		};
		await expect(read()).rejects.toEqual(failsAs("failed", true));
		expect(seen).toEqual(["ProgressIndicator", "TextChunk", "TextChunk"]);
		expect(callsTo("stream")).toHaveLength(1);
	});

	it("a stream that falls silent is a timeout, and its request is stopped", async () => {
		on.simulator.fault({ at: "stream", stallAfter: 2 });
		client = open({ answerMs: 1_000 });
		const read = all(client.stream({ sessionId, sequenceId: 1, text: "count to 9" }));
		await expect(read).rejects.toEqual(failsAs("timeout", true));
		await expect.poll(() => callsTo("stream")[0]?.aborted).toBe(true);
	});

	it("a stream that is left early stops its request", async () => {
		const message = { sessionId, sequenceId: 1, text: "count to 1000 every 20ms" };
		for await (const { type } of client.stream(message)) if (type === "TextChunk") break;
		await expect.poll(() => callsTo("stream")[0]?.aborted).toBe(true);
	});

	it.each([
		["start", () => client.startSession()],
		["message", () => client.send({ sessionId, sequenceId: 1, text: "Hi" })],
	] as const)("an answer that is not of the API is told apart: %s", async (at, call) => {
		on.simulator.fault({ at, garbage: '{"unexpected":true}' });
		await expect(call()).rejects.toEqual(failsAs("garbled", false));
		on.simulator.fault({ at, garbage: "<html>" });
		await expect(call()).rejects.toEqual(failsAs("garbled", false));
	});

	it("events that carry no message are passed over", async () => {
		on.simulator.fault({
			at: "stream",
			messages: [{ noType: 1 }, { type: "Inform", message: "Hi" }],
		});
		const read = await all(client.stream({ sessionId, sequenceId: 1, text: "Hi" }));
		expect(read.map(({ type }) => type)).toEqual(["Inform", "EndOfTurn"]);
	});

	it("an end that fails can be told to be brief", async () => {
		on.simulator.fault({ at: "end", hang: true });
		await expect(client.endSession(sessionId, "Other", { timeoutMs: 50 })).rejects.toEqual(
			failsAs("timeout", true),
		);
		on.simulator.fault({ at: "end", status: 503 });
		await client.endSession(sessionId, "Other");
		expect(callsTo("end")).toHaveLength(3);
	});
});
