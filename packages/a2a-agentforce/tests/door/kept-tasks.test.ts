import type { Agent } from "@baton/agent";
import { waitFor } from "@baton/testkit";
import { afterEach, describe, expect, it } from "vitest";
import {
	cancelTask,
	connect,
	followTask,
	getTask,
	listTasks,
	request,
	say,
	send,
} from "./door-client";
import { asking, type DoorFixture, openDoor } from "./door-fixture";
import {
	CANCELED,
	COMPLETED,
	collect,
	FAILED,
	INPUT_REQUIRED,
	statesOf,
	streamedText,
	textOf,
} from "./task-updates";

let fixture: DoorFixture;
afterEach(() => fixture.close());

/** As `asking`, and it can be made to hang or to fail. */
const moody: Agent = {
	...asking,
	async *run(turn) {
		if (turn.input.content === "fail") throw new Error("It is broken.");
		if (turn.input.content !== "hang") return yield* asking.run(turn);
		yield { type: "message", role: "assistant", content: "Let me think", delta: true };
		return new Promise((_, reject) => {
			turn.signal.addEventListener("abort", () => reject(turn.signal.reason));
		});
	},
};

/** Waits until the store has dropped the events of a session. */
async function forgotten(contextId: string): Promise<void> {
	const sessions = fixture.store.collection("sessions");
	await waitFor(async () => {
		const { first, last } = await sessions.state(contextId, "events");
		return first > last;
	});
}

describe("tasks whose events are no longer kept", () => {
	it("stand where they stood: waiting, cancelled, failed, done; in every list too", async () => {
		fixture = await openDoor({ agent: moody, turnSettings: { keepEventsMs: 200, sweepMs: 50 } });
		const client = await connect(fixture.url);
		const cancel = (id: string) => cancelTask(client, id);
		const waiting = await send(client, say("I want a pet"));
		const left = await send(client, say("I want a pet"));
		await cancel(left.id);
		const answered = await send(client, say("I want a pet"));
		await send(client, say("dog", { taskId: answered.id }));
		const failed = await send(client, say("fail"));
		const stopped = await send(client, say("hang"), { returnImmediately: true });
		const { contextId } = stopped;
		const queued = await send(client, say("cat", { contextId }), { returnImmediately: true });
		await Promise.all([cancel(queued.id), cancel(stopped.id)]);
		const all = [
			{ task: waiting, state: INPUT_REQUIRED, text: "Cat or dog?" },
			{ task: left, state: CANCELED, text: "Cat or dog?" },
			{ task: answered, state: COMPLETED, text: "Cat or dog?A dog it is." },
			{ task: failed, state: FAILED, text: "" },
			{ task: stopped, state: CANCELED, text: "Let me think" },
			{ task: queued, state: CANCELED, text: "" },
		];
		for (const { task } of all) await forgotten(task.contextId);
		for (const { task, state, text } of all) {
			const kept = await getTask(client, task.id);
			expect([kept.status?.state, textOf(kept)]).toEqual([state, text]);
		}
		const { tasks } = await listTasks(client);
		const listed = new Map(tasks.map(({ id, status }) => [id, status?.state]));
		expect(all.map(({ task }) => listed.get(task.id))).toEqual(all.map(({ state }) => state));
		const question = await getTask(client, waiting.id);
		expect(question.status?.message?.parts[0]?.content?.value).toBe("Cat or dog?");
		expect(question.history).toEqual(waiting.history);
		const { history } = await getTask(client, answered.id);
		expect(history).toHaveLength(2);
	});

	it("can still be answered, followed and cancelled", async () => {
		fixture = await openDoor({ agent: moody, turnSettings: { keepEventsMs: 200, sweepMs: 50 } });
		const client = await connect(fixture.url);
		const [one, other] = [
			await send(client, say("I want a pet")),
			await send(client, say("I want a pet")),
		];
		for (const { contextId } of [one, other]) await forgotten(contextId);
		const following = followTask(client, one.id);
		const reply = say("cat", { taskId: one.id });
		const updates = await collect(client.sendMessageStream(request(reply)));
		expect(statesOf(updates).at(-1)).toBe(COMPLETED);
		expect(streamedText(updates)).toBe("Cat or dog?A cat it is.");
		expect(streamedText(await following)).toBe("Cat or dog?A cat it is.");
		const cancelled = await cancelTask(client, other.id);
		expect(cancelled.status?.state).toBe(CANCELED);
		for (const { contextId } of [one, other]) await forgotten(contextId);
		expect((await getTask(client, one.id)).status?.state).toBe(COMPLETED);
		expect((await getTask(client, other.id)).status?.state).toBe(CANCELED);
		const again = await send(client, reply);
		expect(textOf(again)).toBe("Cat or dog?A cat it is.");
		const rows = await fixture.store.collection("sessions").tail(one.contextId, "transcript", 10);
		expect(rows.entries).toHaveLength(4);
	});

	it("are told as lost when their session is gone", async () => {
		fixture = await openDoor();
		const client = await connect(fixture.url);
		const task = await send(client, say("count to 4"));
		const sessions = fixture.store.collection("sessions");
		const { last } = await sessions.state(task.contextId, "events");
		await sessions.trim(task.contextId, "events", last + 1);
		const kept = await getTask(client, task.id);
		expect([kept.status?.state, textOf(kept)]).toEqual([COMPLETED, "1 2 3 4"]);
		expect(kept.history).toEqual(task.history);
		await expect(followTask(client, task.id)).rejects.toThrow(/ended/);
		await sessions.delete(task.contextId);
		const gone = await getTask(client, task.id);
		expect(gone.status?.state).toBe(FAILED);
		expect(gone.status?.message?.parts[0]?.content?.value).toContain("no longer has this task");
	});
});
