import { waitFor } from "@baton/testkit";
import { afterAll, describe, expect, it } from "vitest";
import { hang, say, scriptedAgent } from "./scripted-agent";
import { stopRedis } from "./stores";
import { create, KINDS, untilEnded, useTurns } from "./use-turns";

afterAll(stopRedis);

describe.each(KINDS)("turns on %s", (kind) => {
	const openTurns = useTurns(kind);
	/** Memory keeps nothing past its store, so there is no restart to test. */
	const itIfDurable = kind === "memory" ? () => {} : it;

	it("runs two concurrent sends one after the other", async () => {
		let inside = 0;
		const { turns } = await openTurns(
			scriptedAgent(async function* () {
				expect(++inside).toBe(1);
				yield { type: "message", role: "assistant", content: "a", delta: true };
				await new Promise((resolve) => setImmediate(resolve));
				inside--;
				return undefined;
			}),
		);
		const { key } = await create(turns);
		const sent = await Promise.all([1, 2, 3, 4].map((n) => turns.send(key, { content: `${n}` })));
		const events = await untilEnded(turns, key, 4);
		const results = events.filter(({ type }) => type === "result");
		expect(results.map((event) => event.status)).toEqual(Array(4).fill("success"));
		expect(results.map((event) => event.run_id).sort()).toEqual(
			sent.map(({ runId }) => runId).sort(),
		);
	});

	it("returns the first turn for the same idempotency key, and refuses it for another input", async () => {
		const { turns } = await openTurns(scriptedAgent(say("x")));
		const { key } = await create(turns);
		const first = await turns.send(key, { content: "hi" }, { idempotencyKey: "k" });
		const again = await turns.send(key, { content: "hi" }, { idempotencyKey: "k" });
		expect(again).toEqual({ ...first, repeated: true });
		await expect(
			turns.send(key, { content: "other" }, { idempotencyKey: "k" }),
		).rejects.toMatchObject({ code: "conflict" });
		await untilEnded(turns, key, 1);
		await turns.send(key, { content: "next" });
		const events = await untilEnded(turns, key, 2);
		expect(events.filter(({ type }) => type === "input_admitted")).toHaveLength(2);
	});

	itIfDurable("remembers idempotency keys after a restart", async () => {
		const before = await openTurns(scriptedAgent(say("x")));
		const { key } = await create(before.turns);
		const first = await before.turns.send(key, { content: "hi" }, { idempotencyKey: "k" });
		await untilEnded(before.turns, key, 1);
		await before.turns.close();
		const after = await openTurns(scriptedAgent(say("x")));
		const again = await after.turns.send(key, { content: "hi" }, { idempotencyKey: "k" });
		expect(again).toEqual({ ...first, repeated: true });
	});

	it("refuses a send as busy when asked to, and lets exactly one of two through", async () => {
		const { turns } = await openTurns(scriptedAgent(hang()));
		const { key } = await create(turns);
		const sends = await Promise.allSettled(
			["one", "two"].map((content) => turns.send(key, { content }, { whenBusy: "reject" })),
		);
		expect(sends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
		const refused = sends.find(({ status }) => status === "rejected") as PromiseRejectedResult;
		expect(refused.reason).toMatchObject({ code: "busy", retryable: true });
		await turns.abort(key);
		await untilEnded(turns, key, 1);
		await expect(
			turns.send(key, { content: "three" }, { whenBusy: "reject" }),
		).resolves.toMatchObject({ repeated: false });
	});

	it("interrupts what runs when asked to, and goes next", async () => {
		let first = true;
		const { turns, sessions } = await openTurns(
			scriptedAgent(async function* (turn) {
				if (!first) return yield* say("second")(turn);
				first = false;
				return yield* hang()(turn);
			}),
		);
		const { key } = await create(turns);
		await turns.send(key, { content: "one" });
		await waitFor(async () => (await sessions.state(key, "events")).last >= 3);
		await turns.send(key, { content: "two" }, { whenBusy: "interrupt" });
		const results = (await untilEnded(turns, key, 2)).filter(({ type }) => type === "result");
		expect(results.map((event) => event.status)).toEqual(["aborted", "success"]);
	});
});
