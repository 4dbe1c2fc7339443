import { randomUUID } from "node:crypto";
import type { GatewayEvent } from "@baton/gateway/client";
import { type TempDir, tempDir, waitFor } from "@baton/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runBaton, type Server, startServer } from "./support/baton";
import { type Doors, type DoorUser, openDoors, openPage } from "./support/doors";

const [ADA, BOB] = ["ada-key-0123456789abcdef", "bob-key-0123456789abcdef"];

let home: TempDir;
let server: Server;
let ada: Doors;
let bob: Doors;
let page: ReturnType<typeof openPage>;
/** The doors as Ada uses them. */
let doors: DoorUser[];

beforeAll(async () => {
	home = await tempDir("baton-one");
	server = await startServer({
		home: home.path,
		env: { BATON_WEB: "on", BATON_API_KEYS: `ada:${ADA},bob:${BOB}`, BATON_WEB_OWNER: "ada" },
	});
	[ada, bob] = [openDoors(server, ADA), openDoors(server, BOB)];
	page = openPage(server);
	const web = { ...page, begin: beginAtPage };
	doors = [web, ada.agentApi, ada.gateway, ada.a2a];
});
afterAll(async () => {
	for (const some of [ada, bob]) some?.close();
	await server?.process.stop();
	await home?.remove();
});

/** A chat has an id of the page's own; what its session's is, the owner's other doors know. */
async function beginAtPage(text: string): Promise<string> {
	const chatId = `chat-${randomUUID()}`;
	await page.say(chatId, text);
	const { sessions } = await ada.gateway.client.call("sessions.list", { limit: 1 });
	return sessions[0]?.key ?? "";
}

describe("one conversation through every door", () => {
	it.each([0, 1, 2, 3])("begun at door %i, it goes on at all the others", async (first) => {
		const begun = doors[first]!;
		const name = ["Grace", "Alan", "Edsger", "Barbara"][first];
		const sessionId = await begun.begin(`Hello, my name is ${name}.`);
		const others = doors.filter((door) => door !== begun);
		for (const door of [...others, begun]) {
			expect(await door.say(sessionId, "What is my name?")).toContain(`Your name is ${name}.`);
		}
		const told = await ada.gateway.messages(sessionId);
		expect(told).toHaveLength(10);
		for (const door of [page, ada.agentApi, ada.a2a]) {
			expect(await door.messages(sessionId), door.name).toEqual(told);
		}
		const listed = (await page.chats()).map(({ id }) => id);
		for (const id of listed) expect(id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
	});

	it("begun at the gateway, it has the name of its first message in the page and at the command line", async () => {
		const id = await ada.gateway.begin("Which way to the library?");
		const titleOf = async () => (await page.chats()).find((chat) => chat.id === id)?.title;
		await waitFor(async () => (await titleOf()) === "Which way to the library?");
		const { stdout } = await runBaton(["sessions", "list", "--owner", "ada"], {
			home: home.path,
			env: { BATON_API_KEYS: `ada:${ADA},bob:${BOB}` },
		});
		expect(stdout).toMatch(new RegExp(`^${id} .* gateway +Which way to the library\\?$`, "m"));
	});

	it("a turn that was begun in the page is followed at every door, and stopped by A2A", async () => {
		const chatId = `chat-${randomUUID()}`;
		await page.send(chatId, "count to 5000 every 10ms");
		await waitFor(async () => (await page.history(chatId)).isRunning);
		const { sessions } = await ada.gateway.client.call("sessions.list", { limit: 1 });
		const sessionKey = sessions[0]?.key ?? "";
		const events: GatewayEvent[] = [];
		ada.gateway.client.subscribe(sessionKey, (event) => events.push(event), { after: 0 });
		const attached = ada.agentApi.lines({ session_id: sessionKey, attach: true, after: 0 });
		await waitFor(() => events.filter(({ event }) => event === "chat.delta").length > 10);
		const { tasks } = (await ada.a2a.rpc("ListTasks", { contextId: sessionKey })) as {
			tasks: { id: string; status: { state: string } }[];
		};
		expect(tasks.map(({ status }) => status.state)).toEqual(["TASK_STATE_WORKING"]);
		const id = tasks[0]!.id;
		const subscribed = ada.a2a.stream(id);
		const cancelled = await ada.a2a.rpc("CancelTask", { id });
		expect(cancelled).toMatchObject({ status: { state: "TASK_STATE_CANCELED" } });
		expect((await subscribed).at(-1)).toMatchObject({
			statusUpdate: { status: { state: "TASK_STATE_CANCELED" } },
		});
		expect((await attached).at(-1)).toMatchObject({ type: "result", status: "aborted" });
		await waitFor(() => events.some(({ event }) => event === "chat.aborted"));
		const { messages = [], isRunning } = await page.history(chatId);
		expect([isRunning, messages.at(-1)?.metadata]).toEqual([
			false,
			expect.objectContaining({ status: "aborted" }),
		]);
	});

	it("a turn that was begun by A2A is followed in the page, and stopped at the gateway", async () => {
		const contextId = `context of ${randomUUID()}`;
		const message = {
			messageId: randomUUID(),
			contextId,
			role: "ROLE_USER",
			parts: [{ text: "count to 5000 every 10ms" }],
		};
		const configuration = { returnImmediately: true };
		const { task } = await ada.a2a.rpc("SendMessage", { message, configuration });
		const { id: runId } = task as { id: string };
		const { sessions } = await ada.gateway.client.call("sessions.list", { limit: 1 });
		const sessionKey = sessions[0]?.key ?? "";
		expect((await page.chats())[0]).toEqual({
			id: sessionKey,
			title: "count to 5000 every 10ms",
			updatedAt: expect.any(Number),
		});
		const stream = await fetch(`${server.url}/api/chat/${sessionKey}/stream`);
		expect(stream.status).toBe(200);
		const told = stream.text();
		await ada.gateway.client.call("chat.abort", { runId, sessionKey });
		expect(await told).toContain('"delta":"1 ');
		expect((await page.history(sessionKey)).isRunning).toBe(false);
		expect(await ada.a2a.rpc("GetTask", { id: runId })).toMatchObject({
			status: { state: "TASK_STATE_CANCELED" },
		});
	});

	it("nobody else sees, follows, continues or stops it", async () => {
		const sessionId = await ada.gateway.begin("Hello, my name is Ada.");
		const { runId } = await ada.gateway.client.call("chat.send", {
			sessionKey: sessionId,
			message: "count to 5000 every 10ms",
		});
		await ada.a2a.rpc("ListTasks", { contextId: sessionId });
		const of = { session_id: sessionId };
		for (const body of [{ attach: true }, { message: "What is my name?" }]) {
			expect((await bob.agentApi.call({ ...of, ...body })).status).toBe(404);
		}
		const { client } = bob.gateway;
		for (const call of [
			client.call("sessions.get", { sessionKey: sessionId }),
			client.call("chat.send", { sessionKey: sessionId, message: "Hi" }),
			client.call("chat.subscribe", { sessionKey: sessionId, after: 0 }),
			client.call("chat.abort", { sessionKey: sessionId, runId }),
			client.call("sessions.delete", { sessionKey: sessionId }),
		]) {
			await expect(call).rejects.toMatchObject({ code: 404 });
		}
		expect(await client.call("chat.abort", { runId })).toEqual({ aborted: false });
		for (const method of ["GetTask", "CancelTask"]) {
			await expect(bob.a2a.rpc(method, { id: runId })).rejects.toThrow(/no such task/);
		}
		expect(await bob.a2a.messages(sessionId)).toEqual([]);
		expect(await bob.a2a.say(sessionId, "What is my name?")).toContain("not told me your name");
		const foreign = await bob.gateway.begin("Hello, my name is Bob.");
		expect(await page.messages(foreign)).toEqual([]);
		expect(await page.say(foreign, "What is my name?")).toBe("");
		expect(await bob.gateway.messages(foreign)).toHaveLength(2);
		const { sessions } = await client.call("sessions.list", {});
		expect(sessions.map(({ key }) => key)).not.toContain(sessionId);
		expect((await page.chats()).map(({ id }) => id)).not.toContain(foreign);
		expect(await ada.gateway.messages(sessionId)).toHaveLength(3);
		await ada.gateway.client.call("chat.abort", { runId, sessionKey: sessionId });
	});
});
