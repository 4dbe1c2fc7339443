import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startAgentforceSimulator } from "@baton/a2a-agentforce/simulator";
import { type TempDir, tempDir, waitFor } from "@baton/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import WebSocket from "ws";
import { type RunOptions, runBaton, type Server, startServer } from "./support/baton";

type Frame = Record<string, unknown> & { id?: string; event?: string };

let home: TempDir;
const servers: Server[] = [];
const sockets: WebSocket[] = [];

beforeEach(async () => {
	home = await tempDir();
});
afterEach(async () => {
	for (const socket of sockets.splice(0)) socket.terminate();
	await Promise.all(servers.splice(0).map((server) => server.process.stop()));
	await home.remove();
});

async function start(env: RunOptions["env"] = {}): Promise<Server & { gateway: string }> {
	const server = await startServer({ home: home.path, env });
	servers.push(server);
	const [, gateway = ""] = /Gateway +(ws:\/\/\S+)/.exec(server.banner) ?? [];
	return Object.assign(server, { gateway });
}

/** Types lines as a person does, and keeps what comes back. */
async function type(url: string) {
	const socket = new WebSocket(url);
	sockets.push(socket);
	const frames: Frame[] = [];
	socket.on("message", (data) => frames.push(JSON.parse(data.toString()) as Frame));
	socket.on("error", () => {});
	await waitFor(() => socket.readyState === socket.OPEN);
	const until = (fits: (frame: Frame) => boolean) =>
		waitFor(() => frames.find(fits), { what: JSON.stringify(frames.slice(-3)) });
	const line = (text: string) => socket.send(text);
	const answer = async (text: string) => {
		line(text);
		const { id } = JSON.parse(text) as Frame;
		return (await until((frame) => frame.id === id)) as Frame & { result: Record<string, unknown> };
	};
	return { line, until, answer, frames };
}

const auth = (token: string) => JSON.stringify({ type: "auth", token });

describe("the gateway of baton start", () => {
	it("the seed's eleven steps, typed by hand, with a restart", async () => {
		const env = { PROJ_JARVIS_TOKEN: "mysecrettoken" };
		const first = await start(env);
		const one = await type(first.gateway);
		one.line('{"type":"auth","token":"mysecrettoken"}');
		await one.until((frame) => frame.type === "auth" && frame.ok === true);
		const agents = await one.answer('{"id":"1","method":"agents.list","params":{}}');
		expect(agents.result).toMatchObject({
			agents: [{ id: "assistant", model: "anthropic/claude-opus-4-6", servedBy: "demo" }],
		});
		const created = await one.answer('{"id":"2","method":"sessions.create","params":{}}');
		const { sessionKey } = created.result;
		const send = (id: string, message: string) =>
			one.answer(JSON.stringify({ id, method: "chat.send", params: { sessionKey, message } }));
		await send("3", "Hello, my name is Alice.");
		await one.until(({ event }) => event === "chat.final");
		const asked = await send("4", "What is my name?");
		const final = await one.until(
			({ event, data }) => event === "chat.final" && (data as Frame).runId === asked.result.runId,
		);
		expect(final.data).toMatchObject({
			servedBy: "demo",
			notice:
				"The demo agent answered in place of assistant, which runs on anthropic/claude-opus-4-6 and needs ANTHROPIC_API_KEY. Set ANTHROPIC_API_KEY and start Baton again, or give assistant another model in workspace/AGENTS.md.",
		});
		const history = await one.answer(
			JSON.stringify({ id: "5", method: "chat.history", params: { sessionKey } }),
		);
		const messages = history.result.messages as { role: string; content: string }[];
		expect(messages).toHaveLength(4);
		expect(messages[3]?.content).toContain("Alice");

		first.process.kill("SIGINT");
		expect(await first.process.exited).toEqual({ code: 0, signal: null });
		const second = await start(env);
		const two = await type(second.gateway);
		two.line(auth("mysecrettoken"));
		const list = await two.answer('{"id":"1","method":"sessions.list","params":{}}');
		expect(list.result.sessions).toMatchObject([{ key: sessionKey }]);
		const got = await two.answer(
			JSON.stringify({ id: "2", method: "sessions.get", params: { sessionKey } }),
		);
		expect(got.result.messages).toEqual(messages);
		const file = join(home.path, ".proj-jarvis", "sessions", `${String(sessionKey)}.jsonl`);
		const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
		expect(lines.map((line) => (JSON.parse(line) as { role: string }).role)).toEqual(
			messages.map(({ role }) => role),
		);
	});

	it("makes a token that only its owner can read, prints it once, and takes API keys too", async () => {
		const first = await start();
		const path = join(home.path, ".proj-jarvis", "gateway-token");
		const token = (await readFile(path, "utf8")).trim();
		expect((await stat(path)).mode & 0o777).toBe(0o600);
		const said = await first.process.waitForLine((line) => line.includes("wscat"));
		expect(said).toContain(`{"type":"auth","token":"${token}"}`);
		for (const credential of [token, first.key]) {
			const person = await type(first.gateway);
			person.line(auth(credential));
			await person.until(({ ok }) => ok === true);
		}
		first.process.kill("SIGTERM");
		await first.process.exited;
		const again = await start();
		const line = await again.process.waitForLine((one) => one.includes("wscat"));
		expect(line).not.toContain(token);
		expect(line).toContain("gateway-token");
		expect(again.process.stderr).not.toContain(token);
	});

	it("reads a changed token without a restart", async () => {
		const { gateway } = await start();
		const path = join(home.path, ".proj-jarvis", "gateway-token");
		await writeFile(path, "another-token-of-mine\n");
		const person = await type(gateway);
		person.line(auth("another-token-of-mine"));
		await person.until(({ ok }) => ok === true);
	});

	it("serves the agents of workspace/AGENTS.md, by their models, through every door", async () => {
		const workspace = join(home.path, ".proj-jarvis", "workspace");
		await mkdir(workspace, { recursive: true });
		const agents = "## Helper\nModel: demo\nDescription: Helps.\n\n## Broken\nModel: no-such\n";
		await writeFile(join(workspace, "AGENTS.md"), agents);
		const server = await start({ PROJ_JARVIS_TOKEN: "mysecrettoken" });
		const person = await type(server.gateway);
		person.line(auth("mysecrettoken"));
		const list = await person.answer('{"id":"1","method":"agents.list"}');
		expect(list.result).toEqual({
			agents: [
				{ id: "helper", name: "Helper", model: "demo", description: "Helps.", servedBy: "demo" },
				{
					id: "broken",
					name: "Broken",
					model: "no-such",
					description: "",
					notice: expect.stringMatching(
						/^It cannot serve. There is no agent "no-such". There are: /,
					),
				},
			],
			warnings: [
				expect.stringMatching(/^Agent "broken" cannot serve. There is no agent "no-such"/),
			],
		});
		const { result } = await person.answer('{"id":"2","method":"sessions.create"}');
		const viaHttp = await server.call("run", {
			type: "agent.run",
			session_id: result.sessionKey,
			message: "My name is Ada.",
		});
		expect(await viaHttp.text()).toContain('"status":"success"');
		const history = await person.answer(
			JSON.stringify({ id: "3", method: "chat.history", params: result }),
		);
		expect(history.result.messages).toHaveLength(2);
		const broken = await person.answer(
			'{"id":"4","method":"sessions.create","params":{"agentId":"broken"}}',
		);
		const params = { ...broken.result, message: "Hello" };
		await person.answer(JSON.stringify({ id: "5", method: "chat.send", params }));
		const error = await person.until(({ event }) => event === "chat.error");
		expect((error.data as Frame).message).toContain("Correct workspace/AGENTS.md");
	});

	it("reaches the Agentforce agents of an org by the names that were given to them", async () => {
		const simulator = await startAgentforceSimulator({ agentIds: ["0XxSALES00000001"] });
		try {
			const { settings, url } = simulator;
			const workspace = join(home.path, ".proj-jarvis", "workspace");
			await mkdir(workspace, { recursive: true });
			const agents =
				"## Sales\nModel: agentforce/sales\n\n## First\nModel: agentforce\n\n## Lost\nModel: agentforce/nobody\n";
			await writeFile(join(workspace, "AGENTS.md"), agents);
			const { gateway } = await start({
				PROJ_JARVIS_TOKEN: "mysecrettoken",
				BATON_AGENTFORCE_AGENTS: "sales:0XxSALES00000001",
				SALESFORCE_SERVER_URL: url,
				SALESFORCE_API_URL: url,
				SALESFORCE_CLIENT_ID: settings.clientId,
				SALESFORCE_CLIENT_SECRET: settings.clientSecret,
				SALESFORCE_AGENT_ID: settings.agentId,
			});
			const person = await type(gateway);
			person.line(auth("mysecrettoken"));
			const ask = async (agentId: string, message: string) => {
				const id = `ask-${agentId}`;
				const create = { id, method: "sessions.create", params: { agentId } };
				const { sessionKey } = (await person.answer(JSON.stringify(create))).result;
				const send = { id: `${id}-1`, method: "chat.send", params: { sessionKey, message } };
				const { runId } = (await person.answer(JSON.stringify(send))).result;
				const end = await person.until(
					({ event, data }) => /final|error/.test(String(event)) && (data as Frame).runId === runId,
				);
				return { event: end.event, ...(end.data as { code?: string; message?: string }) };
			};
			const explained =
				'There is no Agentforce agent "agentforce/nobody": BATON_AGENTFORCE_AGENTS has agentforce/sales, and "agentforce" is the one of SALESFORCE_AGENT_ID.';
			const list = await person.answer('{"id":"1","method":"agents.list"}');
			expect(list.result).toMatchObject({
				agents: [
					{ id: "sales", servedBy: "agentforce/sales" },
					{ id: "first", servedBy: "agentforce" },
					{ id: "lost", notice: `It cannot serve. ${explained}` },
				],
				warnings: [`Agent "lost" cannot serve. ${explained}`],
			});
			expect(await ask("sales", "Hello")).toMatchObject({ event: "chat.final" });
			expect(await ask("first", "Hello")).toMatchObject({ event: "chat.final" });
			const started = simulator.requests.filter(({ at }) => at === "start");
			expect(started.map(({ agentId }) => agentId)).toEqual(["0XxSALES00000001", settings.agentId]);
			const lost = await ask("lost", "Hello");
			expect(lost).toMatchObject({ event: "chat.error", code: "unknown_agent" });
			expect(lost.message).toContain(explained);
		} finally {
			await simulator.stop();
		}
	});

	it("refuses a token that is too short, and a port that is taken, by its variable", async () => {
		const short = await runBaton(["start"], { home: home.path, env: { PROJ_JARVIS_TOKEN: "abc" } });
		expect(short.exit.code).toBe(2);
		expect(short.stderr).toContain("PROJ_JARVIS_TOKEN");
		expect(short.stderr).not.toContain("abc");
		const { gateway } = await start();
		const other = await tempDir();
		const env = { PROJ_JARVIS_PORT: new URL(gateway).port };
		const taken = await runBaton(["start"], { home: other.path, env });
		await other.remove();
		expect(taken.exit.code).toBe(1);
		expect(taken.stderr).toContain("PROJ_JARVIS_PORT=");
	});
});
