import { fileURLToPath } from "node:url";
import type { StreamResponse } from "@a2a-js/sdk";
import { demoPieces } from "@baton/agent/demo";
import { type NodeProcess, requirePart, spawnNode, startRedis, waitFor } from "@baton/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
	BINDINGS,
	cancelTask,
	connect,
	dropsAppend,
	followTask,
	getTask,
	listTasks,
	request,
	say,
	send,
} from "./door-client";
import { configOf, startReceiver } from "./push-fixture";
import { CANCELED, COMPLETED, FAILED, statesOf, streamedText, textOf } from "./task-updates";

interface Instance {
	child: NodeProcess;
	url: string;
}

const PROCESS = fileURLToPath(new URL("./door-process.mjs", import.meta.url));

describe.skipIf(!requirePart("redis-server"))("two instances of the A2A door on one Redis", () => {
	let redis: Awaited<ReturnType<typeof startRedis>>;
	const processes: NodeProcess[] = [];
	/** Two that live through all tests. Those that are killed are started for it. */
	let a: Instance;
	let b: Instance;
	beforeAll(async () => {
		redis = await startRedis();
		[a, b] = await Promise.all([start(), start()]);
	});
	afterAll(async () => {
		for (const one of processes) await one.stop();
		await redis.stop();
	});

	const start = async (): Promise<Instance> => {
		const child = spawnNode(PROCESS, { args: [redis.url] });
		processes.push(child);
		return { child, url: await child.waitForLine((line) => line.startsWith("http")) };
	};
	const read = (url: string, id: string) => connect(url).then((client) => getTask(client, id));

	/** Streams on one instance until the first words are there; goes on reading in the background. */
	async function startStream(url: string, text: string, binding = BINDINGS[0]) {
		const client = await connect(url, binding);
		const updates: StreamResponse[] = [];
		let id = "";
		let speak = () => {};
		const speaking = new Promise<void>((resolve) => {
			speak = resolve;
		});
		const reading = (async () => {
			for await (const update of client.sendMessageStream(request(say(text)))) {
				updates.push(update);
				if (update.payload?.$case === "task") id = update.payload.value.id;
				if (update.payload?.$case === "artifactUpdate") speak();
			}
		})();
		reading.catch(() => {});
		await speaking;
		return { id, updates, reading };
	}

	it.each(process.env.BATON_FULL ? BINDINGS : BINDINGS.filter((_, i) => i % 3 === 0))(
		"stream on the one, are followed from the middle on the other: every word once, in $version over $transport",
		async (binding) => {
			const text = "count to 120 every 20ms";
			const { id, updates, reading } = await startStream(a.url, text, binding);
			const other = await connect(b.url, binding);
			const followed = await followTask(other, id);
			await reading;
			const whole = [...demoPieces(text)].join("");
			expect(streamedText(followed, dropsAppend(binding))).toBe(whole);
			expect(streamedText(updates, dropsAppend(binding))).toBe(whole);
			expect(followed[0]?.payload?.$case).toBe("task");
			expect(statesOf(followed).at(-1)).toBe(COMPLETED);
		},
	);

	it("cancel on the other what the one streams: the work stops, and both are told", async () => {
		const { id, updates, reading } = await startStream(a.url, "count to 1000000 every 5ms");
		const other = await connect(b.url);
		const following = followTask(other, id);
		const task = await cancelTask(other, id);
		expect(task.status?.state).toBe(CANCELED);
		await reading;
		expect(statesOf(updates).at(-1)).toBe(CANCELED);
		expect(statesOf(await following).at(-1)).toBe(CANCELED);
		const said = textOf(await read(a.url, id));
		await new Promise((resolve) => setTimeout(resolve, 100));
		expect(textOf(await read(a.url, id))).toBe(said);
	});

	it("go on by the other when the one is killed in mid-stream: the follower gets the end, and no word twice", async () => {
		const victim = await start();
		const text = "count to 60 every 10ms";
		const { id } = await startStream(victim.url, text);
		const other = await connect(b.url);
		const following = followTask(other, id);
		victim.child.kill("SIGKILL");
		const followed = await following;
		expect(statesOf(followed).at(-1)).toBe(COMPLETED);
		expect(streamedText(followed)).toBe([...demoPieces(text)].join(""));
		expect(textOf(await read(b.url, id))).toBe([...demoPieces(text)].join(""));
	});

	it("end as failed, by the other, what must not be done twice", async () => {
		const victim = await start();
		const { id } = await startStream(`${victim.url}/agents/fragile/`, "count to 60 every 10ms");
		const other = await connect(`${b.url}/agents/fragile/`);
		const following = followTask(other, id);
		victim.child.kill("SIGKILL");
		const followed = await following;
		expect(statesOf(followed).at(-1)).toBe(FAILED);
		expect(JSON.stringify(followed.at(-1))).toContain("may have had effects");
		const task = await getTask(other, id);
		expect(task.status?.state).toBe(FAILED);
		expect(textOf(task)).toBe(streamedText(followed));
	});

	it("know a message that was sent to both: the agent runs once", async () => {
		const [one, two] = [await connect(a.url), await connect(b.url)];
		const message = say("count to 20 every 5ms");
		const [first, second] = await Promise.all([send(one, message), send(two, message)]);
		expect(second).toEqual(first);
		const { contextId } = first;
		const { totalSize } = await listTasks(one, { contextId });
		expect(totalSize).toBe(1);
	});

	it("tell a webhook the end of a task whose instance was killed", async () => {
		const receiver = await startReceiver();
		const posts = () => receiver.posts.map(({ body }) => JSON.stringify(body));
		const victim = await start();
		const taskPushNotificationConfig = configOf("", receiver.url);
		const one = await connect(victim.url);
		const { id } = await send(one, say("count to 60 every 10ms"), {
			taskPushNotificationConfig,
			returnImmediately: true,
		});
		victim.child.kill("SIGKILL");
		await waitFor(() => posts().some((post) => post.includes("TASK_STATE_COMPLETED")), {
			timeoutMs: 20_000,
		});
		expect(posts().filter((post) => post.includes("TASK_STATE_COMPLETED"))).toHaveLength(1);
		expect((await read(b.url, id)).status?.state).toBe(COMPLETED);
		receiver.close();
	});
});
