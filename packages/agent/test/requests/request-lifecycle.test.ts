import { randomUUID } from "node:crypto";
import type { RelayResponse } from "@baton/protocol";
import type { JsonObject } from "@baton/session";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
	answerRequest,
	claimRequest,
	closeRequest,
	EVENTS_LOG,
	isRequestRegister,
	type NewRequest,
	openRequest,
	pendingRequests,
	readPendingRequests,
	type SessionLog,
	settleRequest,
	waitForAnswer,
} from "../../src/requests";
import { stores, type TwoSides } from "./stores";

const snapshot = (requestId: string) =>
	({ type: "snapshot_request", requestId, instruction: "Read the form" }) satisfies NewRequest;
const execute = (requestId: string) =>
	({ type: "execute_request", requestId, actions: [], fields: [] }) satisfies NewRequest;
const fields = (requestId: string, fieldId = "f1"): RelayResponse => ({
	type: "snapshot_response",
	requestId,
	fields: [{ fieldId }],
});

describe.each(stores)("requests on $name", ({ available, open }) => {
	if (!available) return it.skip("needs a part that is not here", () => {});
	let sides: TwoSides;
	let id: string;
	beforeAll(async () => {
		sides = await open();
	});
	afterAll(() => sides.close());
	beforeEach(async () => {
		id = randomUUID();
		await sides.a.create(id, {});
	});

	const events = async () => {
		const { entries } = await sides.b.read(id, EVENTS_LOG);
		return entries.map((entry) => entry.event as JsonObject);
	};
	const types = async () => (await events()).map(({ type }) => type);
	const openRegisters = async () =>
		Object.keys((await sides.b.state(id, EVENTS_LOG)).registers).filter(isRequestRegister);

	it("asked on one side, claimed and answered on the other: each step is one event of its run", async () => {
		const { seq } = await openRequest(sides.a, id, snapshot("r1"), { runId: "u1" });
		const answer = waitForAnswer(sides.a, id, "r1", { after: seq, timeoutMs: 10_000 });
		await claimRequest(sides.b, id, "r1", "page-1");
		await answerRequest(sides.b, id, fields("r1"), { claimId: "page-1" });
		expect(await answer).toEqual({ kind: "answered", seq: 3, response: fields("r1") });
		expect(await events()).toEqual([
			{ ...snapshot("r1"), run_id: "u1" },
			{ type: "request_claimed", requestId: "r1", claimId: "page-1", run_id: "u1" },
			{ type: "request_answered", requestId: "r1", response: fields("r1"), run_id: "u1" },
		]);
		expect(await openRegisters()).toEqual([]);
	});

	it("of many answers at once exactly one is taken", async () => {
		await openRequest(sides.a, id, snapshot("r1"));
		const answers = Array.from({ length: 8 }, (_, i) =>
			answerRequest(i % 2 ? sides.a : sides.b, id, fields("r1", `f${i}`)).then(
				() => "taken",
				(error) => error.code,
			),
		);
		const outcomes = await Promise.all(answers);
		expect(outcomes.filter((outcome) => outcome === "taken")).toHaveLength(1);
		expect(outcomes.filter((outcome) => outcome === "over")).toHaveLength(7);
		expect(await types()).toEqual(["snapshot_request", "request_answered"]);
	});

	it("of many claims at once exactly one wins, and only its answer is taken", async () => {
		await openRequest(sides.a, id, snapshot("r1"));
		const claims = Array.from({ length: 8 }, (_, i) =>
			claimRequest(i % 2 ? sides.a : sides.b, id, "r1", `page-${i}`).then(
				() => i,
				(error) => error.code,
			),
		);
		const winners = (await Promise.all(claims)).filter((outcome) => outcome !== "claimed");
		expect(winners).toHaveLength(1);
		const claimId = `page-${winners[0]}`;
		await expect(answerRequest(sides.a, id, fields("r1"))).rejects.toMatchObject({
			code: "claimed",
		});
		await expect(
			answerRequest(sides.a, id, fields("r1"), { claimId: "page-x" }),
		).rejects.toMatchObject({ code: "claimed" });
		await answerRequest(sides.a, id, fields("r1"), { claimId });
		expect(await types()).toEqual(["snapshot_request", "request_claimed", "request_answered"]);
	});

	it("a claim and an answer may be repeated by the same page", async () => {
		await openRequest(sides.a, id, snapshot("r1"));
		await claimRequest(sides.a, id, "r1", "page-1");
		await claimRequest(sides.b, id, "r1", "page-1");
		await answerRequest(sides.a, id, fields("r1"), { claimId: "page-1" });
		await answerRequest(sides.b, id, fields("r1"), { claimId: "page-1" });
		expect(await types()).toEqual(["snapshot_request", "request_claimed", "request_answered"]);
	});

	it("a close and an answer at once: one of them, and the answerer is told which", async () => {
		for (let round = 0; round < 10; round++) {
			const requestId = `r${round}`;
			const { seq } = await openRequest(sides.a, id, snapshot(requestId));
			const [closed, taken] = await Promise.all([
				closeRequest(sides.a, id, requestId, "expired"),
				answerRequest(sides.b, id, fields(requestId)).then(
					() => true,
					(error) => (error.code === "over" ? false : Promise.reject(error)),
				),
			]);
			expect([closed, taken].filter(Boolean)).toHaveLength(1);
			const end = await waitForAnswer(sides.b, id, requestId, { after: seq });
			expect(end.kind).toBe(closed ? "closed" : "answered");
		}
	});

	it.each([
		["an answer to nothing", "not_found", () => answerRequest(sides.a, id, fields("r9"))],
		["a claim of nothing", "not_found", () => claimRequest(sides.a, id, "r9", "p")],
		["a late answer", "over", () => answerRequest(sides.a, id, fields("closed"))],
		["a late claim", "over", () => claimRequest(sides.a, id, "closed", "p")],
		["another second answer", "over", () => answerRequest(sides.a, id, fields("done", "f2"))],
		["the wrong kind of answer", "wrong_kind", () => answerRequest(sides.a, id, fields("exec"))],
		["a claim id with a colon", "invalid", () => claimRequest(sides.a, id, "exec", "a:b")],
		["an empty request id", "invalid", () => openRequest(sides.a, id, snapshot(""))],
		["another request under a used id", "reused", () => openRequest(sides.a, id, execute("done"))],
	])("%s is refused as %s, and nothing is written", async (_, code, act) => {
		await openRequest(sides.a, id, snapshot("closed"));
		await closeRequest(sides.a, id, "closed", "expired");
		await openRequest(sides.a, id, snapshot("done"));
		await answerRequest(sides.a, id, fields("done"));
		await openRequest(sides.a, id, execute("exec"));
		const before = await types();
		await expect(act()).rejects.toMatchObject({ name: "RequestError", code });
		expect(await types()).toEqual(before);
	});

	it("any request may be answered with an error", async () => {
		await openRequest(sides.a, id, execute("r1"));
		await answerRequest(sides.a, id, { type: "error_response", requestId: "r1", message: "No." });
		expect(await openRegisters()).toEqual([]);
	});

	it("the same request again is the first one, also when it is over", async () => {
		const first = await openRequest(sides.a, id, snapshot("r1"));
		expect(await openRequest(sides.b, id, snapshot("r1"))).toEqual({ ...first, repeated: true });
		await answerRequest(sides.a, id, fields("r1"));
		expect(await openRequest(sides.b, id, snapshot("r1"))).toEqual({ ...first, repeated: true });
		expect(await types()).toEqual(["snapshot_request", "request_answered"]);
	});

	it("a request without an id gets one of its own", async () => {
		const { requestId } = await openRequest(sides.a, id, {
			type: "snapshot_request",
			instruction: "Read",
		});
		expect(await events()).toEqual([{ type: "snapshot_request", instruction: "Read", requestId }]);
		expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
	});

	it("settling closes what is not answered in time, or is given up", async () => {
		const { seq } = await openRequest(sides.a, id, snapshot("r1"));
		const late = await settleRequest(sides.a, id, "r1", { after: seq, timeoutMs: 20 });
		expect(late).toMatchObject({ kind: "closed", reason: "expired" });
		const again = await openRequest(sides.a, id, snapshot("r2"));
		const signal = AbortSignal.abort();
		const stopped = await settleRequest(sides.a, id, "r2", { after: again.seq, signal });
		expect(stopped).toMatchObject({ kind: "closed", reason: "aborted" });
		expect(await pendingRequests(sides.a, id)).toEqual([]);
	});

	it("settling never loses an answer that came before the close", async () => {
		const { seq } = await openRequest(sides.a, id, snapshot("r1"));
		await answerRequest(sides.b, id, fields("r1"));
		const signal = AbortSignal.abort();
		const end = await settleRequest(sides.a, id, "r1", { after: seq, signal });
		expect(end).toMatchObject({ kind: "answered", response: fields("r1") });
	});

	it("pending requests come with their events, in order, wherever they stand in the log", async () => {
		const filler = Array.from({ length: 250 }, (_, i) => ({ type: "message", content: `${i}` }));
		await openRequest(sides.a, id, snapshot("old"), { runId: "u1" });
		await sides.a.append(id, EVENTS_LOG, filler);
		await openRequest(sides.a, id, snapshot("answered"));
		await openRequest(sides.a, id, execute("claimed"));
		await sides.a.append(id, EVENTS_LOG, filler);
		// Several at one moment: their floors are the same, their places are not.
		await Promise.all(["p1", "p2", "p3"].map((one) => openRequest(sides.b, id, snapshot(one))));
		await answerRequest(sides.a, id, fields("answered"));
		await claimRequest(sides.a, id, "claimed", "page-1");
		const { requests, last } = await readPendingRequests(sides.b, id);
		expect(requests.map(({ requestId }) => requestId).slice(0, 2)).toEqual(["old", "claimed"]);
		expect(requests.map(({ requestId }) => requestId).sort()).toEqual(
			["claimed", "old", "p1", "p2", "p3"].sort(),
		);
		expect(requests[0]).toEqual({
			requestId: "old",
			seq: 1,
			event: { ...snapshot("old"), run_id: "u1" },
			claimId: null,
		});
		expect(requests[1]).toMatchObject({ seq: 253, claimId: "page-1" });
		expect(last).toBe((await sides.a.state(id, EVENTS_LOG)).last);
		for (const { requestId, seq } of requests) {
			const { entries } = await sides.a.read(id, EVENTS_LOG, { after: seq - 1, limit: 1 });
			expect(entries[0]!.event).toMatchObject({ requestId });
		}
	});

	it("a pending request is found also when much was written while it was being asked", async () => {
		const filler = Array.from({ length: 250 }, () => ({ type: "message" }));
		const busy: SessionLog = {
			append: (...args) => sides.a.append(...args),
			read: (...args) => sides.a.read(...args),
			tail: (...args) => sides.a.tail(...args),
			follow: (...args) => sides.a.follow(...args),
			async state(...args) {
				const before = await sides.a.state(...args);
				await sides.b.append(id, EVENTS_LOG, filler);
				return before;
			},
		};
		await openRequest(busy, id, snapshot("r1"));
		expect(await pendingRequests(sides.b, id)).toMatchObject([{ requestId: "r1", seq: 251 }]);
	});

	it("an end far back in the log is still found", async () => {
		await openRequest(sides.a, id, snapshot("r1"));
		await answerRequest(sides.a, id, fields("r1"));
		const filler = Array.from({ length: 2_500 }, () => ({ type: "message", content: "r1" }));
		await sides.a.append(id, EVENTS_LOG, filler);
		await answerRequest(sides.a, id, fields("r1"));
		await expect(answerRequest(sides.a, id, fields("r1", "f2"))).rejects.toMatchObject({
			code: "over",
		});
	});

	it("waiting ends by its time and by its signal, and leaves the request open", async () => {
		const { seq } = await openRequest(sides.a, id, snapshot("r1"));
		const wait = { after: seq, timeoutMs: 30 };
		expect(await waitForAnswer(sides.a, id, "r1", wait)).toEqual({ kind: "timeout" });
		const stop = new AbortController();
		const waiting = waitForAnswer(sides.a, id, "r1", { after: seq, signal: stop.signal });
		stop.abort();
		expect(await waiting).toEqual({ kind: "aborted" });
		expect(await pendingRequests(sides.a, id)).toHaveLength(1);
	});

	it("an answer that was trimmed away ends the wait as lost, not never", async () => {
		const { seq } = await openRequest(sides.a, id, snapshot("r1"));
		await answerRequest(sides.a, id, fields("r1"));
		const { last } = await sides.a.append(id, EVENTS_LOG, [{ type: "message" }]);
		await sides.a.trim(id, EVENTS_LOG, last);
		const end = await waitForAnswer(sides.a, id, "r1", { after: seq, timeoutMs: 10_000 });
		expect(end).toMatchObject({ kind: "closed", reason: "lost" });
	});

	it("a runner that lost its lease neither asks nor closes", async () => {
		const lease = (await sides.a.takeLease(id, { holder: "test", ttlMs: 60_000 }))!;
		await openRequest(sides.a, id, snapshot("r1"), { lease });
		await sides.a.releaseLease(lease);
		const lost = { code: "lease_lost" };
		await expect(openRequest(sides.a, id, snapshot("r2"), { lease })).rejects.toMatchObject(lost);
		await expect(closeRequest(sides.a, id, "r1", "recovered", { lease })).rejects.toMatchObject(
			lost,
		);
		expect(await types()).toEqual(["snapshot_request"]);
	});
});
