import { type Task, TaskState } from "@a2a-js/sdk";
import { demoPieces } from "@baton/agent/demo";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
	BINDINGS,
	cancelTask,
	connect,
	dropsAppend,
	followTask,
	part,
	request,
	say,
	send,
} from "./door-client";
import { type DoorFixture, openDoor } from "./door-fixture";
import { collect, statesOf, streamedText, textOf } from "./task-updates";

describe.each(BINDINGS)("the SDK's client in $version over $transport", (binding) => {
	let fixture: DoorFixture;
	beforeAll(async () => {
		fixture = await openDoor();
	});
	afterAll(async () => {
		await fixture.close();
		expect(fixture.warnings).toEqual([]);
	});
	const client = () => connect(fixture.url, binding);

	it("talks the version and the binding that it was asked for", async () => {
		const { transport } = await client();
		expect([transport.protocolName, transport.protocolVersion]).toEqual([
			binding.transport,
			binding.version,
		]);
	});

	it("sends a message, and gets the task with what the agent said", async () => {
		const task = await send(await client(), say("count to 5"));
		expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
		expect(textOf(task)).toBe("1 2 3 4 5");
		expect(task.history[0]?.parts[0]?.content).toEqual({ $case: "text", value: "count to 5" });
	});

	it("streams: the task first, then its words in order, then its end", async () => {
		const updates = await collect((await client()).sendMessageStream(request(say("count to 200"))));
		expect(updates[0]?.payload?.$case).toBe("task");
		expect(streamedText(updates, dropsAppend(binding))).toBe(
			Array.from({ length: 200 }, (_, i) => i + 1).join(" "),
		);
		expect(statesOf(updates)).toEqual([
			TaskState.TASK_STATE_SUBMITTED,
			TaskState.TASK_STATE_WORKING,
			TaskState.TASK_STATE_COMPLETED,
		]);
	});

	it("goes on with a conversation by its context", async () => {
		const one = await client();
		const first = await send(one, say("My name is Grace."));
		const second = await send(one, say("What is my name?", { contextId: first.contextId }));
		expect(second.contextId).toBe(first.contextId);
		expect(second.id).not.toBe(first.id);
		expect(textOf(second)).toContain("Grace");
	});

	it("gets a task again", async () => {
		const one = await client();
		const { id } = await send(one, say("count to 3"));
		const task: Task = await one.getTask({ tenant: "", id, historyLength: 0 });
		expect(textOf(task)).toBe("1 2 3");
		expect(task.history).toEqual([]);
	});

	it("returns at once when asked to, and subscribes to the rest", async () => {
		const one = await client();
		const text = "count to 60 every 10ms";
		const { id, status } = await send(one, say(text), { returnImmediately: true });
		expect([TaskState.TASK_STATE_SUBMITTED, TaskState.TASK_STATE_WORKING]).toContain(status?.state);
		const updates = await followTask(one, id);
		expect(updates[0]?.payload?.$case).toBe("task");
		expect(streamedText(updates, dropsAppend(binding))).toBe([...demoPieces(text)].join(""));
		expect(statesOf(updates).at(-1)).toBe(TaskState.TASK_STATE_COMPLETED);
	});

	it("cancels a task, and a second time", async () => {
		const one = await client();
		const { id } = await send(one, say("/wait 60s"), { returnImmediately: true });
		for (let times = 0; times < 2; times++) {
			const task = await cancelTask(one, id);
			expect(task.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
		}
		await expect(followTask(one, id)).rejects.toThrow(/ended/);
	});

	it("tells a failure as a failed task", async () => {
		const task = await send(await client(), say("/fail because I say so"));
		expect(task.status?.state).toBe(TaskState.TASK_STATE_FAILED);
		expect(task.status?.message?.parts[0]?.content?.value).toBe("because I say so");
	});

	it("gives the same task for the same message, with and without a context", async () => {
		const one = await client();
		for (const contextId of ["", `mine-${binding.version}-${binding.transport}`]) {
			const message = say("count to 4", { contextId });
			const first = await send(one, message);
			const again = await send(one, message);
			expect(again).toEqual(first);
			await expect(send(one, { ...message, parts: [part("another")] })).rejects.toThrow(
				/messageId was used before/,
			);
		}
	});

	it("is told of a task that is not there", async () => {
		const one = await client();
		const asked = one.getTask({ tenant: "", id: "none", historyLength: undefined });
		await expect(asked).rejects.toThrow(/no such task/);
		await expect(send(one, say("x", { taskId: "none" }))).rejects.toThrow(/no such task/);
	});

	it("gets the extended card, with its own limits", async () => {
		const card = await (await client()).getAgentCard();
		expect(card.capabilities?.extensions[0]?.params).toMatchObject({ owner: "ada" });
	});
});
