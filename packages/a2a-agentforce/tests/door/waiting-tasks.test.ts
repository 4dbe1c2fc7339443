import type { Agent } from "@baton/agent";
import { afterEach, describe, expect, it } from "vitest";
import {
	BINDINGS,
	cancelTask,
	connect,
	data,
	followTask,
	part,
	request,
	say,
	send,
} from "./door-client";
import { asking, type DoorFixture, openDoor } from "./door-fixture";
import {
	CANCELED,
	COMPLETED,
	collect,
	INPUT_REQUIRED,
	statesOf,
	streamedText,
	textOf,
} from "./task-updates";

describe("tasks of the A2A door", () => {
	let fixture: DoorFixture;
	afterEach(async () => {
		await fixture.close();
		expect(fixture.warnings).toEqual([]);
	});

	describe.each(BINDINGS)("that wait for their caller, in $version over $transport", (binding) => {
		it("end a question as input-required, and go on with the reply in the same task", async () => {
			fixture = await openDoor({ agent: asking });
			const client = await connect(fixture.url, binding);
			const asked = await send(client, say("I want a pet"));
			expect(asked.status?.state).toBe(INPUT_REQUIRED);
			expect(asked.status?.message?.parts[0]?.content?.value).toBe("Cat or dog?");
			const reply = say("cat", { taskId: asked.id, contextId: asked.contextId });
			const done = await send(client, reply);
			expect(done.id).toBe(asked.id);
			expect(done.status?.state).toBe(COMPLETED);
			expect(textOf(done)).toBe("Cat or dog?A cat it is.");
			expect(done.artifacts[1]?.parts[1]?.content?.value).toEqual({
				type: "citations",
				references: [{ link: "https://pets.example" }],
			});
			expect(done.history).toHaveLength(2);
			expect(await send(client, reply)).toEqual(done);
			await expect(send(client, say("dog", { taskId: asked.id }))).rejects.toThrow(/has ended/);
		});
	});

	it("stream a question and its reply, each to where the caller is needed", async () => {
		fixture = await openDoor({ agent: asking });
		const client = await connect(fixture.url);
		const first = await collect(client.sendMessageStream(request(say("I want a pet"))));
		expect(statesOf(first).at(-1)).toBe(INPUT_REQUIRED);
		expect(JSON.stringify(first)).toContain("Looking at pets");
		const [{ payload } = {}] = first;
		const taskId = payload?.$case === "task" ? payload.value.id : "";
		const second = await collect(client.sendMessageStream(request(say("dog", { taskId }))));
		expect(statesOf(second).at(-1)).toBe(COMPLETED);
		expect(streamedText(second)).toBe("Cat or dog?A dog it is.");
	});

	it("refuse a reply under another context, and can be cancelled while they wait", async () => {
		fixture = await openDoor({ agent: asking });
		const client = await connect(fixture.url);
		const { id } = await send(client, say("I want a pet"));
		const other = send(client, say("cat", { taskId: id, contextId: "another" }));
		await expect(other).rejects.toThrow(/another contextId/);
		const following = followTask(client, id);
		const cancelled = await cancelTask(client, id);
		expect(cancelled.status?.state).toBe(CANCELED);
		expect(statesOf(await following)).toEqual([INPUT_REQUIRED, CANCELED]);
		await expect(send(client, say("cat", { taskId: id }))).rejects.toThrow(/has ended/);
	});

	it("take the answer to an agent's request as a data part", async () => {
		fixture = await openDoor();
		const client = await connect(fixture.url);
		const asked = await send(client, say("Fill in the form: my name is Grace Hopper"));
		expect(asked.status?.state).toBe(INPUT_REQUIRED);
		const wanted = asked.status?.message?.parts[1]?.content?.value;
		expect(wanted).toMatchObject({ type: "snapshot_request", requestId: expect.any(String) });
		const answer = (parts: ReturnType<typeof part>[]) =>
			send(client, say("", { taskId: asked.id, parts }));
		await expect(answer([part("no idea")])).rejects.toThrow(/snapshot_response/);
		const field = {
			fieldId: "f1",
			selector: "#name",
			kind: "text",
			label: "Full name",
			required: false,
			currentValue: "",
		};
		const next = await answer([data({ type: "snapshot_response", fields: [field] })]);
		expect(next.status?.state).toBe(INPUT_REQUIRED);
		expect(next.status?.message?.parts[1]?.content?.value).toMatchObject({
			type: "execute_request",
			actions: [{ action: "fill", fieldId: "f1", value: "Grace Hopper" }],
		});
		const report = { applied: 1, skipped: 0, warnings: [] };
		const done = await answer([data({ type: "execute_response", report })]);
		expect(done.status?.state).toBe(COMPLETED);
	});

	it("take the same answer again as the same, and never as one to the next request", async () => {
		const answers: unknown[] = [];
		const twice: Agent = {
			name: "twice",
			recovery: "fail",
			async *run(turn) {
				for (const instruction of ["first", "second"]) {
					answers.push(await turn.ask({ type: "snapshot_request", instruction }));
				}
				yield { type: "message", role: "assistant", content: "Thanks." };
				return undefined;
			},
		};
		fixture = await openDoor({ agent: twice });
		const client = await connect(fixture.url);
		const { id } = await send(client, say("hi"));
		const snapshot = (label: string) => ({
			type: "snapshot_response",
			fields: [
				{ fieldId: "f", selector: "#f", kind: "text", label, required: false, currentValue: "" },
			],
		});
		const first = say("", { taskId: id, parts: [data(snapshot("one"))] });
		const wanted = (task: Awaited<ReturnType<typeof send>>) =>
			JSON.stringify(task.status?.message?.parts[1]?.content?.value);
		const asked = await send(client, first);
		expect(wanted(asked)).toContain("second");
		const [again, atOnce] = await Promise.all([send(client, first), send(client, first)]);
		for (const task of [again, atOnce]) {
			expect(task.status?.state).toBe(INPUT_REQUIRED);
			expect(wanted(task)).toBe(wanted(asked));
		}
		const other = { ...first, parts: [data(snapshot("another"))] };
		await expect(send(client, other)).rejects.toThrow(/answered already/);
		expect(answers).toHaveLength(1);
		const second = say("", { taskId: id, parts: [data(snapshot("two"))] });
		expect((await send(client, second)).status?.state).toBe(COMPLETED);
		// Also when the task has ended.
		for (const message of [first, second]) {
			expect((await send(client, message)).status?.state).toBe(COMPLETED);
		}
		expect(answers).toHaveLength(2);
	});
});
