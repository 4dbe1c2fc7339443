import { type StreamResponse, TaskState } from "@a2a-js/sdk";
import { openStore } from "@baton/session";
import { waitFor } from "@baton/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AgentforceClient, createAgentforceAgent } from "../../src/agentforce";
import { BatonStore } from "../../src/session";
import { type AgentforceSimulator, startAgentforceSimulator } from "../../src/simulator";
import { BINDINGS, cancelTask, connect, request, say, send } from "./door-client";
import { type DoorFixture, openDoor } from "./door-fixture";
import { collect, statesOf, streamedText, textOf } from "./task-updates";

const TTL = 1_800;
const LOG = { info: () => {}, warn: () => {} };

describe("Agentforce behind the A2A door", () => {
	let simulator: AgentforceSimulator;
	let fixture: DoorFixture;
	beforeEach(async () => {
		simulator = await startAgentforceSimulator();
		const store = await openStore({ driver: "memory" });
		const sessions = new BatonStore({ store: async () => store, ttlSeconds: TTL });
		const client = new AgentforceClient(simulator.settings);
		const agent = createAgentforceAgent({ client, sessions, ttlSeconds: TTL, log: LOG });
		fixture = await openDoor({ agent, store });
	});
	afterEach(async () => {
		await fixture.close();
		await fixture.store.close();
		await simulator.stop();
	});

	it.each(BINDINGS)(
		"asks back and goes on in the same task, in $version over $transport",
		async (binding) => {
			const client = await connect(fixture.url, binding);
			for (const [command, reply, answer] of [
				["/inquire", "A-17", "Order A-17 is on its way."],
				["/confirm", "yes", "Your refund is under way."],
			] as const) {
				const asked = await send(client, say(command));
				expect(asked.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
				const done = await send(client, say(reply, { taskId: asked.id }));
				expect(done.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
				expect(textOf(done)).toContain(answer);
			}
		},
	);

	it("streams its words, takes back what it takes back, and shows what it cites", async () => {
		const client = await connect(fixture.url);
		const words = await collect(client.sendMessageStream(request(say("count to 50"))));
		expect(streamedText(words)).toBe(Array.from({ length: 50 }, (_, i) => i + 1).join(" "));
		const retracted = await collect(client.sendMessageStream(request(say("/retract"))));
		const whole = await send(client, say("/retract"));
		expect(streamedText(retracted)).toBe(textOf(whole));
		const cited = await send(client, say("/cite"));
		expect(JSON.stringify(cited.artifacts)).toContain('"references"');
	});

	it("is told a failure without Salesforce's own words", async () => {
		const client = await connect(fixture.url);
		const failed = await send(client, say("/fail"));
		expect(failed.status?.state).toBe(TaskState.TASK_STATE_FAILED);
		simulator.fault({ at: "stream", status: 500, body: "secret trace 42" }, 5);
		const broken = await send(client, say("hello"));
		expect(broken.status?.state).toBe(TaskState.TASK_STATE_FAILED);
		expect(JSON.stringify(broken)).not.toContain("secret trace");
	});

	it("stops the call and ends the Agentforce session when its task is cancelled", async () => {
		const client = await connect(fixture.url);
		const updates: StreamResponse[] = [];
		let id = "";
		for await (const update of client.sendMessageStream(
			request(say("count to 10000 every 10ms")),
		)) {
			updates.push(update);
			if (update.payload?.$case === "task") id = update.payload.value.id;
			if (update.payload?.$case === "artifactUpdate" && updates.length < 10) {
				await cancelTask(client, id);
			}
		}
		expect(statesOf(updates).at(-1)).toBe(TaskState.TASK_STATE_CANCELED);
		await waitFor(() => simulator.requests.some(({ at }) => at === "end"));
		expect(simulator.requests.find(({ at }) => at === "stream")?.aborted).toBe(true);
	});
});
