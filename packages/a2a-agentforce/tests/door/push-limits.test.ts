import { waitFor } from "@baton/testkit";
import { afterEach, describe, expect, it } from "vitest";
import type { Lookup } from "../../src/door/push/push-addresses";
import { BINDINGS, cancelTask, connect, getTask, say, send } from "./door-client";
import { BOB, type DoorFixture, openDoor } from "./door-fixture";
import { askingOnce, configOf, FAST, statesTo, useReceivers } from "./push-fixture";

describe("push notifications", () => {
	let fixture: DoorFixture;
	const receive = useReceivers();
	afterEach(() => fixture.close());

	it("refuse an inner address when it is saved, and store nothing", async () => {
		fixture = await openDoor();
		const receiver = await receive();
		const client = await connect(fixture.url);
		const { id } = await send(client, say("count to 2"));
		for (const url of [receiver.url, "http://2130706433/", "http://[::1]/", "ftp://x.example/"]) {
			await expect(client.createTaskPushNotificationConfig(configOf(id, url))).rejects.toThrow(
				/refused/,
			);
			const taskPushNotificationConfig = configOf("", url);
			const sent = send(client, say("count to 2"), { taskPushNotificationConfig });
			await expect(sent).rejects.toThrow(/refused/);
		}
		const all = { tenant: "", taskId: id, pageSize: 0, pageToken: "" };
		expect((await client.listTaskPushNotificationConfig(all)).configs).toEqual([]);
		expect(receiver.posts).toEqual([]);
	});

	it("check the address again when they are sent: a name that changed its answer is not called", async () => {
		const receiver = await receive();
		let asked = 0;
		const lookup: Lookup = (_, done) =>
			done(null, [{ address: ++asked === 1 ? "93.184.216.34" : "127.0.0.1", family: 4 }]);
		fixture = await openDoor({ push: { lookup, retryMs: [20], sweepMs: 50 } });
		const client = await connect(fixture.url);
		const { id } = await send(client, say("count to 2"));
		const url = `http://hook.example:${new URL(receiver.url).port}/`;
		await client.createTaskPushNotificationConfig(configOf(id, url));
		await waitFor(() => fixture.warnings.some((warning) => warning.includes("not a public one")));
		expect([asked, receiver.posts]).toEqual([2, []]);
	});

	it("have a cap for each task", async () => {
		fixture = await openDoor({ push: FAST });
		const receiver = await receive();
		const client = await connect(fixture.url);
		const { id } = await send(client, say("/wait 60s"), { returnImmediately: true });
		const made = await Promise.allSettled(
			Array.from({ length: 15 }, (_, i) =>
				client.createTaskPushNotificationConfig(configOf(id, `${receiver.url}/${i}`)),
			),
		);
		expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
		// The same one again is no eleventh.
		const { configs } = await client.listTaskPushNotificationConfig({
			tenant: "",
			taskId: id,
			pageSize: 0,
			pageToken: "",
		});
		expect(configs).toHaveLength(10);
		await client.createTaskPushNotificationConfig(
			configOf(id, receiver.url, { id: configs[0]?.id ?? "" }),
		);
		await client.createTaskPushNotificationConfig(configOf(id, configs[1]?.url ?? ""));
		expect(await fixture.store.collection("a2a-push").get(id)).toMatchObject({
			value: { webhooks: { length: 10 } },
		});
		await cancelTask(client, id);
	});

	it("that are over the cap are refused before the message is stored", async () => {
		fixture = await openDoor({ push: FAST, agent: askingOnce });
		const receiver = await receive();
		const client = await connect(fixture.url);
		const { id } = await send(client, say("Ask me"));
		for (let i = 0; i < 10; i++) {
			await client.createTaskPushNotificationConfig(configOf(id, `${receiver.url}/${i}`));
		}
		const reply = (url: string) =>
			send(client, say("cat", { taskId: id }), {
				taskPushNotificationConfig: configOf("", url),
			});
		await expect(reply(`${receiver.url}/10`)).rejects.toThrow(/at most 10/);
		const task = await getTask(client, id);
		expect(task.history).toHaveLength(1);
		// One that it has is no eleventh, though it came without an id.
		expect((await reply(`${receiver.url}/9`)).history).toHaveLength(2);
	});

	it("of one owner leave room for those of another, and it is said when they wait", async () => {
		fixture = await openDoor({ push: { ...FAST, perOwner: 1, leaseMs: 3_000 } });
		const receiver = await receive();
		const [ada, bob] = [await connect(fixture.url), await connect(fixture.url, BINDINGS[0], BOB)];
		const configuration = { taskPushNotificationConfig: configOf("", receiver.url) };
		const working = { ...configuration, returnImmediately: true };
		const first = await send(ada, say("/wait 60s"), working);
		await waitFor(() => statesTo(receiver, first.id).includes("TASK_STATE_WORKING"));
		const second = await send(ada, say("count to 2"), configuration);
		const third = await send(bob, say("count to 2"), configuration);
		await waitFor(() => statesTo(receiver, third.id).includes("TASK_STATE_COMPLETED"));
		await waitFor(() => fixture.warnings.some((warning) => warning.includes("Webhooks wait")));
		expect(statesTo(receiver, second.id)).toEqual([]);
		await cancelTask(ada, first.id);
		await waitFor(() => statesTo(receiver, second.id).includes("TASK_STATE_COMPLETED"));
	});

	it("refuse a token that would be a second header", async () => {
		fixture = await openDoor({ push: FAST });
		const receiver = await receive();
		const client = await connect(fixture.url);
		const { id } = await send(client, say("count to 2"));
		const config = configOf(id, receiver.url, { token: "a\r\nX-Evil: 1" });
		await expect(client.createTaskPushNotificationConfig(config)).rejects.toThrow(/one line/);
	});
});
