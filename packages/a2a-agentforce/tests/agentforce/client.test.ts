import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
	AgentforceClient,
	type AgentforceErrorKind,
	type AgentforceMessage,
	type AgentforceTimes,
} from "../../src/agentforce";
import {
	type AgentforceSimulator,
	type Endpoint,
	startAgentforceSimulator,
} from "../../src/simulator";

/** Long enough for a machine that is busy; where silence is the test, shorter. */
const QUICK: Partial<AgentforceTimes> = { pauseMs: 10, answerMs: 10_000, callMs: 10_000 };

let simulator: AgentforceSimulator;
beforeEach(async () => {
	simulator = await startAgentforceSimulator();
});
afterEach(() => simulator.stop());

const open = (times: Partial<AgentforceTimes> = {}, settings = {}) =>
	new AgentforceClient({ ...simulator.settings, ...settings }, { times: { ...QUICK, ...times } });

const callsTo = (at: Endpoint) => simulator.requests.filter((request) => request.at === at);

async function all(stream: AsyncIterable<AgentforceMessage>) {
	const messages: AgentforceMessage[] = [];
	for await (const message of stream) messages.push(message);
	return messages;
}

const failsAs = (kind: AgentforceErrorKind, retryable: boolean) =>
	expect.objectContaining({ name: "AgentforceError", kind, retryable });

describe("a session of Agentforce", () => {
	it("starts with a greeting, in the shape that the API takes", async () => {
		const { sessionId, messages } = await open().startSession();
		expect(messages[0]).toMatchObject({ type: "Inform", message: /simulator/i });
		const [start] = callsTo("start");
		expect(start?.body).toEqual({
			externalSessionKey: expect.stringMatching(/^[0-9a-f-]{36}$/),
			instanceConfig: { endpoint: simulator.url },
			streamingCapabilities: { chunkTypes: ["Text"] },
			bypassUser: true,
		});
		expect(sessionId).not.toBe("");
	});

	it("answers a message whole", async () => {
		const client = open();
		const { sessionId } = await client.startSession();
		const messages = await client.send({ sessionId, sequenceId: 1, text: "My name is Ada" });
		expect(messages).toMatchObject([{ type: "Inform", message: "Hello Ada, nice to meet you!" }]);
		expect(callsTo("message")[0]?.body).toEqual({
			message: { type: "Text", sequenceId: 1, text: "My name is Ada" },
			variables: [],
		});
	});

	it("streams: progress, chunks, the whole, the end", async () => {
		const client = open();
		const { sessionId } = await client.startSession();
		const messages = await all(client.stream({ sessionId, sequenceId: 1, text: "count to 3" }));
		expect(messages.map(({ type, message }) => [type, message])).toEqual([
			["ProgressIndicator", "Thinking…"],
			["TextChunk", "1 "],
			["TextChunk", "2 "],
			["TextChunk", "3"],
			["Inform", "1 2 3"],
			["EndOfTurn", undefined],
		]);
	});

	it("ends with its reason, and takes feedback", async () => {
		const client = open();
		const { sessionId } = await client.startSession();
		const [inform] = await client.send({ sessionId, sequenceId: 1, text: "/cite" });
		expect(inform?.citedReferences).toHaveLength(1);
		await client.sendFeedback(sessionId, inform?.feedbackId ?? "", "GOOD");
		expect(callsTo("feedback")[0]?.body).toEqual({
			feedbackId: inform?.feedbackId,
			feedback: "GOOD",
		});
		await client.endSession(sessionId, "UserRequest");
		expect(callsTo("end")[0]?.headers["x-session-end-reason"]).toBe("UserRequest");
		await client.endSession(sessionId, "Other");
		await expect(client.send({ sessionId, sequenceId: 2, text: "Hi" })).rejects.toEqual(
			failsAs("session_gone", true),
		);
	});

	it("names the question that a message answers", async () => {
		const client = open();
		const { sessionId } = await client.startSession();
		const message = { sessionId, sequenceId: 1, text: "Hi", inReplyToMessageId: "q1" };
		await all(client.stream(message));
		expect(callsTo("stream")[0]?.body).toMatchObject({ message: { inReplyToMessageId: "q1" } });
	});
});

describe("the token", () => {
	it("is asked for once, however many calls need it at the same time", async () => {
		const client = open();
		await Promise.all(Array.from({ length: 20 }, () => client.startSession()));
		expect(callsTo("token")).toHaveLength(1);
		expect(callsTo("token")[0]?.body).toEqual({
			grant_type: "client_credentials",
			client_id: "simulator-client",
			client_secret: "simulator-secret",
		});
		simulator.revokeTokens();
		await Promise.all(Array.from({ length: 20 }, () => client.startSession()));
		expect(callsTo("token")).toHaveLength(2);
	});

	it("is renewed by every kind of call that is refused for it, streams too", async () => {
		const client = open();
		const { sessionId } = await client.startSession();
		const calls: (() => Promise<unknown>)[] = [
			() => client.startSession(),
			() => client.send({ sessionId, sequenceId: 1, text: "Hi" }),
			() => all(client.stream({ sessionId, sequenceId: 2, text: "Hi" })),
			() => client.sendFeedback(sessionId, "f1", "BAD"),
			() => client.endSession(sessionId, "Other"),
		];
		for (const call of calls) {
			simulator.revokeTokens();
			await call();
		}
		expect(callsTo("token")).toHaveLength(1 + calls.length);
	});

	it("that is fresh and refused all the same is an error, not a loop", async () => {
		simulator.fault({ at: "start", status: 401 }, 5);
		await expect(open().startSession()).rejects.toEqual(failsAs("unauthorized", false));
		expect(callsTo("start")).toHaveLength(2);
	});

	it("is not asked for again when too many logins were made", async () => {
		const body = { error: "invalid_grant", error_description: "login rate exceeded" };
		simulator.fault({ at: "token", status: 400, body });
		const client = open({ loginPauseMs: 2_000 });
		await expect(client.startSession()).rejects.toEqual(failsAs("login_rate", true));
		await expect(client.startSession()).rejects.toEqual(failsAs("login_rate", true));
		expect(callsTo("token")).toHaveLength(1);
		await expect.poll(() => client.startSession().catch(() => null)).not.toBeNull();
	});

	it("is refused for wrong credentials, in words that repeat none of them", async () => {
		const error = await open({}, { clientSecret: "oops-secret" })
			.startSession()
			.catch((reason: unknown) => reason as Error);
		expect(error).toEqual(failsAs("unauthorized", false));
		expect(JSON.stringify(error)).not.toContain("oops-secret");
		expect((error as Error).message).not.toContain("invalid_client");
	});

	it.each([
		["a login that fails", { status: 503 }],
		["a login whose connection is cut", { drop: true }],
		["a login that never answers", { hang: true }],
	] as const)("is asked for a second time after %s", async (_, how) => {
		simulator.fault({ at: "token", ...how });
		await open({ callMs: "hang" in how ? 1_500 : 10_000 }).startSession();
		expect(callsTo("token")).toHaveLength(2);
		simulator.fault({ at: "token", ...how }, 2);
		const client = open({ callMs: "hang" in how ? 100 : 10_000 });
		await expect(client.startSession()).rejects.toEqual(failsAs("unavailable", true));
	});

	it("that is missing from the answer is an error", async () => {
		simulator.fault({ at: "token", garbage: "<html>" });
		await expect(open().startSession()).rejects.toEqual(failsAs("garbled", false));
	});
});

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
			simulator.fault({ at, status });
			expect(await send[at]()).not.toHaveLength(0);
			expect(sequenceIdsOf(at)).toEqual([7, 7]);
			await client.endSession(sessionId, "Other");
			({ sessionId } = await client.startSession());
			simulator.fault({ at, status }, 2);
			await expect(send[at]()).rejects.toEqual(failsAs("unavailable", true));
			expect(sequenceIdsOf(at)).toHaveLength(4);
		});

		it("a connection that is cut before the answer is tried once more", async () => {
			simulator.fault({ at, drop: true });
			expect(await send[at]()).not.toHaveLength(0);
			expect(sequenceIdsOf(at)).toEqual([7, 7]);
		});

		it("423 is waited out, with the same sequence id", async () => {
			simulator.fault({ at, status: 423 }, 3);
			expect(await send[at]()).not.toHaveLength(0);
			expect(sequenceIdsOf(at)).toEqual([7, 7, 7, 7]);
		});

		it("423 that does not pass is an error", async () => {
			simulator.fault({ at, status: 423 }, 1_000);
			client = open({ busyMs: 100 });
			await expect(send[at]()).rejects.toEqual(failsAs("busy", true));
		});

		it("429 is waited out as it says", async () => {
			simulator.fault({ at, status: 429, retryAfter: "1" });
			const before = performance.now();
			expect(await send[at]()).not.toHaveLength(0);
			expect(performance.now() - before).toBeGreaterThan(900);
		});

		it.each([
			["goes on", { status: 429 }, 10],
			["asks for a wait that is too long", { status: 429, retryAfter: "3600" }, 1],
		])("429 that %s is an error", async (_, how, times) => {
			simulator.fault({ at, ...how }, times);
			await expect(send[at]()).rejects.toEqual(failsAs("rate_limited", true));
			expect(callsTo(at).length).toBeLessThanOrEqual(4);
		});

		it.each([
			[400, "refused", false],
			[403, "refused", false],
			[404, "session_gone", true],
			[500, "failed", true],
		] as const)("%i is %s, and is not tried again", async (status, kind, retryable) => {
			simulator.fault({ at, status });
			await expect(send[at]()).rejects.toEqual(failsAs(kind, retryable));
			expect(callsTo(at)).toHaveLength(1);
		});

		it("silence is a timeout, and is not tried again", async () => {
			simulator.fault({ at, hang: true });
			client = open({ answerMs: 200 });
			await expect(send[at]()).rejects.toEqual(failsAs("timeout", true));
			expect(callsTo(at)).toHaveLength(1);
		});

		it("says nothing of what Salesforce said, and keeps that for the log", async () => {
			const body = { requestId: "r-1", error: "Boom", message: "at com.salesforce.Secret(42)" };
			simulator.fault({ at, status: 500, body });
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
		simulator.revokeTokens();
		simulator.fault({ at: "token", hang: true }, 2);
		const starting = open({ callMs: 60_000 }).startSession(AbortSignal.timeout(50));
		await expect(starting).rejects.toThrow(/timeout/);
	});

	it("404 at the start is a wrong host or agent", async () => {
		await expect(open({}, { agentId: "other" }).startSession()).rejects.toEqual(
			failsAs("refused", false),
		);
	});

	it("a stream that is cut is an error, after what came before", async () => {
		simulator.fault({ at: "stream", cutAfter: 3 });
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
		simulator.fault({ at: "stream", stallAfter: 2 });
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
		simulator.fault({ at, garbage: '{"unexpected":true}' });
		await expect(call()).rejects.toEqual(failsAs("garbled", false));
		simulator.fault({ at, garbage: "<html>" });
		await expect(call()).rejects.toEqual(failsAs("garbled", false));
	});

	it("events that carry no message are passed over", async () => {
		simulator.fault({ at: "stream", messages: [{ noType: 1 }, { type: "Inform", message: "Hi" }] });
		const read = await all(client.stream({ sessionId, sequenceId: 1, text: "Hi" }));
		expect(read.map(({ type }) => type)).toEqual(["Inform", "EndOfTurn"]);
	});

	it("an end that fails can be told to be brief", async () => {
		simulator.fault({ at: "end", hang: true });
		await expect(client.endSession(sessionId, "Other", { timeoutMs: 50 })).rejects.toEqual(
			failsAs("timeout", true),
		);
		simulator.fault({ at: "end", status: 503 });
		await client.endSession(sessionId, "Other");
		expect(callsTo("end")).toHaveLength(3);
	});
});
