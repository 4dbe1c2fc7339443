import { describe, expect, it } from "vitest";
import { all, failsAs, useSimulator } from "./use-simulator";

const on = useSimulator();
const { open, callsTo } = on;

describe("a session of Agentforce", () => {
	it("starts with a greeting, in the shape that the API takes", async () => {
		const { sessionId, messages } = await open().startSession();
		expect(messages[0]).toMatchObject({ type: "Inform", message: /simulator/i });
		const [start] = callsTo("start");
		expect(start?.body).toEqual({
			externalSessionKey: expect.stringMatching(/^[0-9a-f-]{36}$/),
			instanceConfig: { endpoint: on.simulator.url },
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
		on.simulator.revokeTokens();
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
			on.simulator.revokeTokens();
			await call();
		}
		expect(callsTo("token")).toHaveLength(1 + calls.length);
	});

	it("that is fresh and refused all the same is an error, not a loop", async () => {
		on.simulator.fault({ at: "start", status: 401 }, 5);
		await expect(open().startSession()).rejects.toEqual(failsAs("unauthorized", false));
		expect(callsTo("start")).toHaveLength(2);
	});

	it("is not asked for again when too many logins were made", async () => {
		const body = { error: "invalid_grant", error_description: "login rate exceeded" };
		on.simulator.fault({ at: "token", status: 400, body });
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
		on.simulator.fault({ at: "token", ...how });
		await open({ callMs: "hang" in how ? 1_500 : 10_000 }).startSession();
		expect(callsTo("token")).toHaveLength(2);
		on.simulator.fault({ at: "token", ...how }, 2);
		const client = open({ callMs: "hang" in how ? 100 : 10_000 });
		await expect(client.startSession()).rejects.toEqual(failsAs("unavailable", true));
	});

	it("that is missing from the answer is an error", async () => {
		on.simulator.fault({ at: "token", garbage: "<html>" });
		await expect(open().startSession()).rejects.toEqual(failsAs("garbled", false));
	});
});
