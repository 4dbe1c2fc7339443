import type { Task } from "@a2a-js/sdk";
import type { Agent } from "@baton/agent";
import { openStore } from "@baton/session";
import { waitFor } from "@baton/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { connect, followTask, getTask, listTasks, request, say, send } from "./door-client";
import { type DoorFixture, openDoor } from "./door-fixture";
import { collect, streamedText, textOf } from "./task-updates";

const isFull = process.env.BATON_FULL === "1";
/** How many tasks one caller has. */
const TASKS = isFull ? 5_000 : 300;
/** Characters of a long answer, and of each piece of it. */
const [LONG, PIECE] = [2_350_000, 70_000];

let fixture: DoorFixture;
afterEach(() => fixture.close());

/** Every character tells its place, so that a hole or a repetition shows. */
const textFrom = (from: number, to: number) => {
	let text = "";
	for (let place = from; text.length < to - from; place = from + text.length) text += `${place} `;
	return text.slice(0, to - from);
};
const pieces = Array.from({ length: Math.ceil(LONG / PIECE) }, (_, i) =>
	textFrom(i * PIECE, Math.min((i + 1) * PIECE, LONG)),
);

describe("a task with more text than a snapshot holds", () => {
	it("is told whole to who comes in the middle, and to who sends the message again", async () => {
		let goOn = () => {};
		const waits = new Promise<void>((resolve) => {
			goOn = resolve;
		});
		const agent: Agent = {
			name: "talkative",
			recovery: "fail",
			async *run() {
				for (const [i, content] of pieces.entries()) {
					// Most of it is said before anyone comes: more than a snapshot has.
					if (i === 25) await waits;
					yield { type: "message", role: "assistant", content, delta: true };
				}
				return undefined;
			},
		};
		fixture = await openDoor({ agent });
		const client = await connect(fixture.url);
		const message = say("Tell me all of it");
		const { id, contextId } = await send(client, message, { returnImmediately: true });
		const sessions = fixture.store.collection("sessions");
		await waitFor(async () => (await sessions.state(contextId, "events")).last >= 27);
		const following = [followTask(client, id), collect(client.sendMessageStream(request(message)))];
		goOn();
		const whole = pieces.join("");
		for (const updates of await Promise.all(following)) {
			expect(streamedText(updates) === whole).toBe(true);
		}
		const cut = textOf(await getTask(client, id));
		expect(cut.length).toBeLessThan(1_000_100);
		expect(cut).toMatch(/… \(cut: subscribe for all of it\)$/);
		expect(streamedText(await followTask(client, id))).toBe(whole);
	});
});

describe("a caller with many tasks", () => {
	it("gets them page by page, each once; a page costs what is on it, not what there is", async () => {
		const store = await openStore({ driver: "memory" });
		const sessions = store.collection("sessions");
		const opened: string[] = [];
		let [reading, most] = [0, 0];
		/** The store, with a look at who reads logs. */
		const watched = new Proxy(sessions, {
			get(target, name) {
				const value = Reflect.get(target, name, target);
				if (name !== "read") return typeof value === "function" ? value.bind(target) : value;
				return async (...args: Parameters<typeof sessions.read>) => {
					opened.push(args[0]);
					most = Math.max(most, ++reading);
					return target.read(...args).finally(() => reading--);
				};
			},
		});
		fixture = await openDoor({ store, sessions: watched as never });
		const client = await connect(fixture.url);
		const sent = new Map<string, string>();
		for (let i = 0; i < TASKS; i += 50) {
			const some = Array.from({ length: 50 }, (_, n) =>
				send(client, say(`count to ${(i + n) % 9}`)),
			);
			for (const { id, contextId } of await Promise.all(some)) sent.set(id, contextId);
		}
		opened.length = 0;
		const seen: Task[] = [];
		let pageToken = "";
		let pages = 0;
		do {
			const before = opened.length;
			const page = await listTasks(client, { pageSize: 100, pageToken, includeArtifacts: true });
			expect(page.totalSize).toBe(sent.size);
			// The first look at a task notes how it ended; after that only those of the page are opened.
			if (pages > 0) expect(opened.length - before).toBeLessThanOrEqual(page.tasks.length * 2);
			seen.push(...page.tasks);
			pageToken = page.nextPageToken;
			pages++;
		} while (pageToken !== "");
		expect(pages).toBe(TASKS / 100);
		expect(new Set(seen.map(({ id }) => id))).toEqual(new Set(sent.keys()));
		const times = seen.map(({ status }) => status?.timestamp ?? "");
		expect(times).toEqual(times.toSorted().reverse());
		// However many there are, few of them are held at a time.
		expect(most).toBeLessThanOrEqual(16);
		await store.close();
	});
});
