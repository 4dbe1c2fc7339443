import {
	answerRequest,
	closeRequest,
	EVENTS_LOG,
	openRequest,
	type SessionLog,
} from "@baton/agent";
import { openMemoryStore } from "@baton/session/memory";
import { waitFor } from "@baton/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
	createRelayHandler,
	openRelayStore,
	type RelayCredentials,
	type RelayStore,
} from "../src/relay";
import { EventStream } from "./event-stream";
import { snapshotRequest, snapshotResponse } from "./messages";
import { memory, newSession, stores, type TwoRelays } from "./stores";

function connect(
	store: RelayStore,
	{ sessionId, token }: RelayCredentials,
	options: { lastEventId?: string; keepaliveMs?: number; signal?: AbortSignal } = {},
): Promise<Response> {
	const { lastEventId, keepaliveMs = 20_000, signal } = options;
	const handle = createRelayHandler({ store, keepaliveMs });
	const query = new URLSearchParams({ type: "relay.events", sessionId, token });
	return handle(
		new Request(`http://relay.test/agent-api/relay?${query}`, {
			...(lastEventId && { headers: { "Last-Event-ID": lastEventId } }),
			...(signal && { signal }),
		}),
	);
}

describe.each(stores)("relay.events on $name", ({ available, open }) => {
	if (!available) return it.skip("needs a part that is not here", () => {});
	let relays: TwoRelays;
	let page: RelayCredentials;
	let id: string;
	const streams: EventStream[] = [];
	beforeAll(async () => {
		relays = await open();
	});
	afterAll(() => relays.close());
	beforeEach(async () => {
		({ page, agentSessionId: id } = await newSession(relays));
	});
	afterEach(async () => {
		for (const stream of streams.splice(0)) await stream.close();
	});

	async function listen(store: RelayStore, options: Parameters<typeof connect>[2] = {}) {
		const stream = new EventStream(await connect(store, page, options));
		streams.push(stream);
		return stream;
	}
	const ask = (requestId: string) => openRequest(relays.a.sessions, id, snapshotRequest(requestId));
	const answer = (requestId: string) =>
		answerRequest(relays.a.sessions, id, snapshotResponse(requestId));

	it("says that it is connected, then ready under id 1, then each request under its place in the log", async () => {
		await relays.sessions.append(id, EVENTS_LOG, [{ type: "message" }, { type: "message" }]);
		const response = await connect(relays.b, page);
		expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
		expect(response.headers.get("cache-control")).toContain("no-store");
		const stream = new EventStream(response);
		streams.push(stream);
		expect(await stream.next()).toEqual({ comment: "connected" });
		expect(await stream.next()).toEqual({
			id: "1",
			data: { type: "ready", sessionId: page.sessionId },
		});
		const { seq } = await ask("r1");
		expect(await stream.next()).toEqual({ id: String(seq + 1), data: snapshotRequest("r1") });
	});

	it("a new page gets what is pending, and nothing that is over", async () => {
		await ask("answered");
		await ask("closed");
		await ask("pending");
		await answer("answered");
		await closeRequest(relays.a.sessions, id, "closed", "expired");
		const stream = await listen(relays.b);
		await stream.nextEvent();
		expect(await stream.nextEvent()).toEqual({ id: "4", data: snapshotRequest("pending") });
		await ask("later");
		expect(await stream.nextEvent()).toMatchObject({ data: { requestId: "later" } });
	});

	it("after a reconnect, also at another process, nothing is lost and nothing comes twice", async () => {
		const seen: string[] = [];
		const asked: string[] = [];
		let lastEventId: string | undefined;
		for (let round = 0; round < 6; round++) {
			const store = round % 2 ? relays.a : relays.b;
			const stream = await listen(store, { ...(lastEventId && { lastEventId }) });
			const ready = await stream.nextEvent();
			expect(ready).toEqual({
				id: lastEventId ?? "1",
				data: { type: "ready", sessionId: page.sessionId },
			});
			// One asked while connected, and two in the time without a connection.
			const names = [`r${round}-live`, `r${round}-away-1`, `r${round}-away-2`];
			await ask(names[0]!);
			asked.push(...names);
			const missed = round === 0 ? 1 : 3;
			for (let i = 0; i < missed; i++) {
				const { id: eventId, data } = await stream.nextEvent();
				seen.push((data as { requestId: string }).requestId);
				lastEventId = eventId;
			}
			await stream.close();
			await ask(names[1]!);
			await ask(names[2]!);
		}
		expect(seen).toEqual(asked.slice(0, seen.length));
		expect(seen).toHaveLength(16);
	});

	it.each(["0", "-1", "abc", "1e3", "999999999999999999999", "77"])(
		"Last-Event-ID %j, which this log never gave out, is as good as none",
		async (lastEventId) => {
			await ask("r1");
			const stream = await listen(relays.b, { lastEventId });
			expect(await stream.nextEvent()).toMatchObject({ id: "1", data: { type: "ready" } });
			expect(await stream.nextEvent()).toEqual({ id: "2", data: snapshotRequest("r1") });
		},
	);

	it("goes on after the log was trimmed", async () => {
		const stream = await listen(relays.b);
		await stream.nextEvent();
		const filler = Array.from({ length: 50 }, () => ({ type: "message" }));
		const { last } = await relays.sessions.append(id, EVENTS_LOG, filler);
		await relays.sessions.trim(id, EVENTS_LOG, last + 1);
		const { seq } = await ask("r1");
		expect(await stream.nextEvent()).toEqual({ id: `${seq + 1}`, data: snapshotRequest("r1") });
	});
});

describe("a stream's end", () => {
	let relays: TwoRelays;
	beforeEach(async () => {
		relays = await memory.open();
	});
	afterEach(() => relays.close());

	/** A relay on the same sessions, whose followers are counted. */
	function countedRelay() {
		const { sessions } = relays;
		const followers = { count: 0 };
		const counting: SessionLog = {
			append: (...args) => sessions.append(...args),
			read: (...args) => sessions.read(...args),
			tail: (...args) => sessions.tail(...args),
			state: (...args) => sessions.state(...args),
			async *follow(...args) {
				followers.count++;
				try {
					yield* sessions.follow(...args);
				} finally {
					followers.count--;
				}
			},
		};
		return { relay: openRelayStore(openMemoryStore(), { sessions: counting }), followers };
	}

	it.each(["cancels the body", "aborts the request"])(
		"a client that %s frees the follower, and its page is no longer there",
		async (how) => {
			const { relay, followers } = countedRelay();
			const { page, agent } = await newSession({ ...relays, a: relay });
			const stop = new AbortController();
			const response = await connect(relay, page, { signal: stop.signal });
			const stream = new EventStream(response);
			await stream.nextEvent();
			const reading = stream.next();
			await waitFor(() => followers.count === 1);
			if (how === "cancels the body") await stream.close();
			else stop.abort();
			expect(await reading).toBeNull();
			await waitFor(() => followers.count === 0);
			const asAgent = await relay.authenticate(agent.sessionId, agent.token, "agent");
			const call = relay.dispatch(asAgent, snapshotRequest("r1"), { requireBrowser: true });
			await expect(call).rejects.toMatchObject({ code: "NO_BROWSER" });
		},
	);

	it("a keepalive comes in a steady beat, also while the agent talks without pause", async () => {
		const { page, agentSessionId } = await newSession(relays);
		const stream = new EventStream(await connect(relays.a, page, { keepaliveMs: 30 }));
		await stream.nextEvent();
		let talking = true;
		const talk = (async () => {
			while (talking) {
				await relays.sessions.append(agentSessionId, EVENTS_LOG, [{ type: "message" }]);
				await new Promise((resolve) => setTimeout(resolve, 2));
			}
		})();
		expect(await stream.next()).toEqual({ comment: "keepalive" });
		expect(await stream.next()).toEqual({ comment: "keepalive" });
		talking = false;
		await talk;
		await stream.close();
	});

	it("ends when its credentials are revoked or its session is deleted", async () => {
		const one = await newSession(relays);
		const revoked = new EventStream(await connect(relays.a, one.page, { keepaliveMs: 20 }));
		await revoked.nextEvent();
		await relays.a.revokeRelaySession(one.page.sessionId);
		const two = await newSession(relays);
		const deleted = new EventStream(await connect(relays.a, two.page, { keepaliveMs: 20 }));
		await deleted.nextEvent();
		await relays.sessions.delete(two.agentSessionId);
		for (const stream of [revoked, deleted]) {
			let item = await stream.next();
			while (item && "comment" in item) item = await stream.next();
			expect(item).toBeNull();
		}
		expect((await connect(relays.a, two.page)).status).toBe(404);
	});

	it("reads what is pending anew when the log was cut or changed under it", async () => {
		const { agentSessionId } = await newSession(relays);
		const { sessions } = relays;
		let follows = 0;
		const changing: SessionLog = {
			append: (...args) => sessions.append(...args),
			read: (...args) => sessions.read(...args),
			tail: (...args) => sessions.tail(...args),
			state: (...args) => sessions.state(...args),
			async *follow(...args) {
				if (follows++ === 0) {
					await openRequest(sessions, agentSessionId, snapshotRequest("r1"));
					yield { entries: [], reset: { reason: "diverged", first: 2 } };
					await new Promise((resolve) => args[2]?.signal?.addEventListener("abort", resolve));
				} else yield* sessions.follow(...args);
			},
		};
		const store = openMemoryStore();
		const relay = openRelayStore(store, { sessions: changing });
		const credentials = await relay.createRelaySession({ agentSessionId });
		const stream = new EventStream(await connect(relay, credentials));
		await stream.nextEvent();
		expect(await stream.nextEvent()).toEqual({ id: "2", data: snapshotRequest("r1") });
		await stream.close();
		await store.close();
	});

	it("keeps its credentials alive for as long as it is open", async () => {
		await relays.close();
		relays = await memory.open({ ttlMs: 1_500 });
		const { page } = await newSession(relays);
		const stream = new EventStream(await connect(relays.a, page, { keepaliveMs: 100 }));
		await stream.nextEvent();
		const until = performance.now() + 4_000;
		while (performance.now() < until) expect(await stream.next()).toEqual({ comment: "keepalive" });
		await stream.close();
	});
});
