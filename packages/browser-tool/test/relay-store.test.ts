import { EVENTS_LOG } from "@baton/agent";
import type { JsonObject } from "@baton/session";
import { waitFor } from "@baton/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Relay } from "../src/relay";
import { executeRequest, executeResponse, snapshotRequest, snapshotResponse } from "./messages";
import { memory, newSession, stores, type TwoRelays } from "./stores";

const refused = (code: string, status: number) => ({ name: "RelayError", code, status });

/** The code that the relay refuses with, or "taken". */
const outcome = (call: Promise<unknown>) =>
	call.then(
		() => "taken",
		(error) => error.code,
	);

describe.each(stores)("the relay on $name", ({ available, open }) => {
	if (!available) return it.skip("needs a part that is not here", () => {});
	let relays: TwoRelays;
	beforeAll(async () => {
		relays = await open({ timeoutMs: 10_000 });
	});
	afterAll(() => relays.close());

	/** An agent on one process, a page on the other. */
	async function connect(runId?: string) {
		const { agentSessionId, page, agent } = await newSession(relays, runId);
		return {
			agentSessionId,
			agent: await relays.a.authenticate(agent.sessionId, agent.token, "agent"),
			page: await relays.b.authenticate(page.sessionId, page.token, "page"),
		};
	}
	const events = async (agentSessionId: string) => {
		const { entries } = await relays.sessions.read(agentSessionId, EVENTS_LOG);
		return entries.map((entry) => entry.event as JsonObject);
	};
	const asked = (agentSessionId: string, count: number) =>
		waitFor(async () => (await events(agentSessionId)).length >= count);

	it("asks on one process and is answered on the other", async () => {
		const { agentSessionId, agent, page } = await connect("u1");
		const answer = relays.a.dispatch(agent, snapshotRequest("r1"));
		await asked(agentSessionId, 1);
		await relays.b.respond(page, snapshotResponse("r1"));
		expect(await answer).toEqual(snapshotResponse("r1"));
		expect((await events(agentSessionId)).map(({ type, run_id }) => [type, run_id])).toEqual([
			["snapshot_request", "u1"],
			["request_answered", "u1"],
		]);
	});

	it("keeps several requests apart, whatever the order of their answers", async () => {
		const { agentSessionId, agent, page } = await connect();
		const ids = Array.from({ length: 10 }, (_, i) => `r${i}`);
		const answers = ids.map((requestId) => relays.a.dispatch(agent, snapshotRequest(requestId)));
		await asked(agentSessionId, ids.length);
		for (const requestId of ids.toReversed()) {
			await relays.b.respond(page, snapshotResponse(requestId, `of ${requestId}`));
		}
		expect(await Promise.all(answers)).toEqual(
			ids.map((requestId) => snapshotResponse(requestId, `of ${requestId}`)),
		);
	});

	it("takes one of two answers at once, and the agent gets that one", async () => {
		const { agentSessionId, agent, page } = await connect();
		const answer = relays.a.dispatch(agent, snapshotRequest("r1"));
		await asked(agentSessionId, 1);
		const outcomes = await Promise.all([
			outcome(relays.a.respond(page, snapshotResponse("r1", "A"))),
			outcome(relays.b.respond(page, snapshotResponse("r1", "B"))),
		]);
		expect(outcomes.toSorted()).toEqual(["INVALID_RESPONSE", "taken"]);
		expect(await answer).toEqual(snapshotResponse("r1", outcomes[0] === "taken" ? "A" : "B"));
	});

	it("gives a request to one of two pages that claim it at once", async () => {
		const { agentSessionId, agent, page } = await connect();
		const answer = relays.a.dispatch(agent, executeRequest("r1"));
		await asked(agentSessionId, 1);
		const outcomes = await Promise.all([
			outcome(relays.a.claim(page, "r1", "tab-a")),
			outcome(relays.b.claim(page, "r1", "tab-b")),
		]);
		expect(outcomes.toSorted()).toEqual(["CLAIMED", "taken"]);
		const [winner, loser] = outcomes[0] === "taken" ? ["tab-a", "tab-b"] : ["tab-b", "tab-a"];
		const response = executeResponse("r1");
		const claimed = refused("CLAIMED", 409);
		await expect(relays.b.respond(page, response)).rejects.toMatchObject(claimed);
		await expect(relays.b.respond(page, response, { claimId: loser! })).rejects.toMatchObject(
			claimed,
		);
		await relays.b.respond(page, response, { claimId: winner! });
		expect(await answer).toEqual(response);
	});

	it("times out by TIMEOUT, and a later answer is refused", async () => {
		const { agentSessionId, agent, page } = await connect();
		const answer = relays.a.dispatch(agent, snapshotRequest("r1"), { timeoutMs: 30 });
		await expect(answer).rejects.toMatchObject(refused("TIMEOUT", 408));
		expect((await events(agentSessionId)).at(-1)).toMatchObject({
			type: "request_closed",
			reason: "expired",
		});
		const late = relays.b.respond(page, snapshotResponse("r1"));
		await expect(late).rejects.toMatchObject(refused("INVALID_RESPONSE", 422));
	});

	it("a request that is given up is closed, and says so", async () => {
		const { agentSessionId, agent } = await connect();
		const stop = new AbortController();
		const answer = relays.a.dispatch(agent, snapshotRequest("r1"), { signal: stop.signal });
		const caught = expect(answer).rejects.toMatchObject(refused("CONFLICT", 409));
		await asked(agentSessionId, 1);
		stop.abort();
		await caught;
		expect((await events(agentSessionId)).at(-1)).toMatchObject({ reason: "aborted" });
	});

	it("the same request again waits for the same answer: the page is asked once", async () => {
		const { agentSessionId, agent, page } = await connect();
		const first = relays.a.dispatch(agent, snapshotRequest("r1"));
		await asked(agentSessionId, 1);
		const again = relays.b.dispatch(agent, snapshotRequest("r1"));
		await relays.b.respond(page, snapshotResponse("r1"));
		expect(await Promise.all([first, again])).toEqual([
			snapshotResponse("r1"),
			snapshotResponse("r1"),
		]);
		expect(await events(agentSessionId)).toHaveLength(2);
	});

	it.each([
		["to nothing", snapshotResponse("r9"), refused("NOT_FOUND", 404)],
		["of the wrong kind", executeResponse("open"), refused("INVALID_RESPONSE", 422)],
		[
			"that differs from the one taken",
			snapshotResponse("done", "B"),
			refused("INVALID_RESPONSE", 422),
		],
	])("refuses an answer %s", async (_, response, refusal) => {
		const { agentSessionId, agent, page } = await connect();
		const open = relays.a.dispatch(agent, snapshotRequest("open"));
		const done = relays.a.dispatch(agent, snapshotRequest("done"));
		await asked(agentSessionId, 2);
		await relays.b.respond(page, snapshotResponse("done"));
		await expect(relays.b.respond(page, response)).rejects.toMatchObject(refusal);
		await relays.b.respond(page, snapshotResponse("open"));
		expect(await Promise.all([open, done])).toHaveLength(2);
	});

	it("refuses an answer to another session's request", async () => {
		const mine = await connect();
		const other = await connect();
		const answer = relays.a.dispatch(mine.agent, snapshotRequest("r1"));
		await asked(mine.agentSessionId, 1);
		const foreign = relays.b.respond(other.page, snapshotResponse("r1"));
		await expect(foreign).rejects.toMatchObject(refused("NOT_FOUND", 404));
		await relays.b.respond(mine.page, snapshotResponse("r1"));
		await answer;
	});

	it("takes the very same answer again as fine", async () => {
		const { agentSessionId, agent, page } = await connect();
		const answer = relays.a.dispatch(agent, snapshotRequest("r1"));
		await asked(agentSessionId, 1);
		await relays.b.respond(page, snapshotResponse("r1"));
		await relays.a.respond(page, snapshotResponse("r1"));
		await answer;
		expect(await events(agentSessionId)).toHaveLength(2);
	});

	it("asks without a page unless told otherwise; then NO_BROWSER means that none is there", async () => {
		const { agentSessionId, agent, page } = await connect();
		const strict = { requireBrowser: true };
		const nobody = relays.a.dispatch(agent, snapshotRequest("r1"), strict);
		await expect(nobody).rejects.toMatchObject(refused("NO_BROWSER", 409));
		expect(await events(agentSessionId)).toEqual([]);
		await relays.b.markPage(page, "tab-1");
		const answer = relays.a.dispatch(agent, snapshotRequest("r2"), strict);
		await asked(agentSessionId, 1);
		await relays.b.respond(page, snapshotResponse("r2"));
		await answer;
		await relays.b.unmarkPage(page, "tab-1");
		await relays.b.unmarkPage(page, page.sessionId);
		const gone = relays.a.dispatch(agent, snapshotRequest("r3"), strict);
		await expect(gone).rejects.toMatchObject(refused("NO_BROWSER", 409));
	});

	it("stores a hash, never the token", async () => {
		const { page } = await newSession(relays);
		const stored = await relays.relays.get(page.sessionId);
		expect(Buffer.from(page.token, "base64url")).toHaveLength(32);
		expect(JSON.stringify(stored)).not.toContain(page.token);
		expect(stored?.ttlMs).toBe(600_000);
		expect(page.expiresAt - Date.now()).toBeGreaterThan(590_000);
	});

	it("lets in by the right token of the right session and role, and by nothing else", async () => {
		const { page, agent } = await newSession(relays);
		const other = await newSession(relays);
		const forged = `${page.token.slice(0, -2)}${page.token.endsWith("AA") ? "BB" : "AA"}`;
		const tries: [sessionId: string, token: string, role: Relay["role"]][] = [
			[page.sessionId, forged, "page"],
			[page.sessionId, "", "page"],
			[page.sessionId, other.page.token, "page"],
			[other.page.sessionId, page.token, "page"],
			["no-such-session", page.token, "page"],
			["../../etc/passwd", page.token, "page"],
			[page.sessionId, page.token, "agent"],
			[agent.sessionId, agent.token, "page"],
		];
		for (const [sessionId, token, role] of tries) {
			const call = relays.b.authenticate(sessionId, token, role);
			await expect(call).rejects.toMatchObject(refused("UNAUTHORIZED", 401));
		}
		expect(await relays.b.authenticate(page.sessionId, page.token, "page")).toMatchObject({
			role: "page",
		});
	});

	it("does not let in after the session was revoked", async () => {
		const { page } = await newSession(relays);
		await relays.a.revokeRelaySession(page.sessionId);
		const call = relays.b.authenticate(page.sessionId, page.token, "page");
		await expect(call).rejects.toMatchObject(refused("UNAUTHORIZED", 401));
	});
});

describe("the life of a relay session", () => {
	let relays: TwoRelays | undefined;
	afterEach(() => relays?.close());

	it("ends when it is not used, and use puts that off", async () => {
		relays = await memory.open({ ttlMs: 300 });
		const { page, agent } = await newSession(relays);
		const until = performance.now() + 900;
		const use = () => relays!.a.authenticate(page.sessionId, page.token, "page");
		await waitFor(async () => (await use()) && performance.now() > until, { everyMs: 50 });
		const unused = relays.a.authenticate(agent.sessionId, agent.token, "agent");
		await expect(unused).rejects.toMatchObject(refused("UNAUTHORIZED", 401));
		await waitFor(
			() =>
				use().then(
					() => false,
					() => true,
				),
			{ everyMs: 400 },
		);
	});

	it("a page that is not heard of any more is not there", async () => {
		relays = await memory.open({ presenceMs: 100 });
		const { page, agent } = await newSession(relays);
		const asPage = await relays.a.authenticate(page.sessionId, page.token, "page");
		const asAgent = await relays.a.authenticate(agent.sessionId, agent.token, "agent");
		await relays.a.markPage(asPage, "tab-1");
		const { a } = relays;
		let count = 0;
		await waitFor(async () => {
			const options = { requireBrowser: true, timeoutMs: 1 };
			const call = a.dispatch(asAgent, snapshotRequest(`r${count++}`), options);
			return (await outcome(call)) === "NO_BROWSER";
		});
		expect(count).toBeGreaterThan(1);
	});

	it("a page that crashed is not kept there by another one that lived longer", async () => {
		relays = await memory.open({ presenceMs: 150 });
		const { a } = relays;
		const { page, agent } = await newSession(relays);
		const asPage = await a.authenticate(page.sessionId, page.token, "page");
		const asAgent = await a.authenticate(agent.sessionId, agent.token, "agent");
		await a.markPage(asPage, "crashed");
		const until = performance.now() + 300;
		await waitFor(async () => {
			await a.markPage(asPage, "alive");
			return performance.now() > until;
		});
		await a.unmarkPage(asPage, "alive");
		const call = a.dispatch(asAgent, snapshotRequest("r1"), { requireBrowser: true });
		await expect(call).rejects.toMatchObject(refused("NO_BROWSER", 409));
	});
});
