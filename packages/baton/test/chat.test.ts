import { freePort, requirePart, type TempDir, tempDir } from "@baton/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runBaton, type Server, startServer } from "./support/baton";
import { Typist } from "./support/typist";

let home: TempDir;
let env: Record<string, string>;
const servers: Server[] = [];
const typists: Typist[] = [];

beforeEach(async () => {
	home = await tempDir();
	env = { PROJ_JARVIS_PORT: String(await freePort()) };
});
afterEach(async () => {
	await Promise.all(typists.splice(0).map((typist) => typist.stop()));
	await Promise.all(servers.splice(0).map((server) => server.process.stop()));
	await home.remove();
});

async function start(): Promise<Server> {
	const server = await startServer({ home: home.path, env });
	servers.push(server);
	return server;
}

function chat(args: string[] = [], terminal = false): Typist {
	const typist = new Typist(home.path, env, args, terminal);
	typists.push(typist);
	return typist;
}

describe("baton chat, through a pipe", () => {
	it("answers each line, remembers, and ends with its input", async () => {
		await start();
		const typist = chat();
		typist.type("Hello, my name is Alice.\nWhat is my name?\n");
		typist.end();
		expect(await typist.exited).toBe(0);
		expect(typist.screen).toContain("Your name is Alice.");
		expect(typist.screen).toContain("ANTHROPIC_API_KEY is not set");
		const again = chat();
		again.type("What is my name?\n");
		again.end();
		await again.exited;
		expect(again.screen.match(/Your name is Alice\./g)).toHaveLength(2);
		const other = chat(["--new"]);
		other.type("What is my name?\n");
		other.end();
		await other.exited;
		expect(other.screen).toContain("You have not told me your name yet.");
	}, 60_000);

	it("has commands for sessions, labels, history and agents", async () => {
		await start();
		const typist = chat();
		typist.type(":new Holiday\nHello\n");
		await typist.sees("A new conversation: Holiday");
		typist.type(
			":label Holiday in Rome\n:sessions\n:agents\n:search rome\n:history\n:nonsense\n:help\n",
		);
		typist.end();
		expect(await typist.exited).toBe(0);
		for (const text of [
			"“Holiday in Rome”",
			"assistant",
			"There is no :nonsense",
			":switch <number>",
		]) {
			expect(typist.screen).toContain(text);
		}
	}, 60_000);

	it("says when nobody answers, and when there is no token", async () => {
		const without = await runBaton(["chat"], { home: home.path, env });
		expect(without.exit.code).toBe(1);
		expect(without.stderr).toContain("There is no token for the gateway");
		const nobody = await runBaton(["chat"], {
			home: home.path,
			env: { ...env, PROJ_JARVIS_TOKEN: "mysecrettoken" },
		});
		expect(nobody.exit.code).toBe(1);
		expect(nobody.stderr).toContain("No gateway answers at ws://127.0.0.1:");
		await start();
		const wrong = await runBaton(["chat"], {
			home: home.path,
			env: { ...env, PROJ_JARVIS_TOKEN: "not-the-token" },
		});
		expect(wrong.exit.code).toBe(1);
		expect(wrong.stderr).toContain("refuses this token");
		for (const key of ["11111111-2222-4333-8444-555555555555", "../secrets"]) {
			const absent = await runBaton(["chat", "--session", key], { home: home.path, env });
			expect(absent.exit.code).toBe(3);
			expect(absent.stdout).toBe("");
			expect(absent.stderr.trim()).toMatch(/^There is no conversation "\S+" for you at ws:\S+\.$/);
		}
	}, 60_000);
});

describe.skipIf(!requirePart("script"))("baton chat, at a terminal", () => {
	it("streams the answer, and Ctrl-C stops it and not the chat", async () => {
		await start();
		const typist = chat([], true);
		await typist.sees(":help shows commands");
		typist.type("/stream 1000 words every 10ms\r");
		await typist.sees("w20 ");
		typist.type("\x03");
		await typist.sees("(stopped)");
		typist.type("What is my name?\r");
		await typist.sees("You have not told me your name yet.");
		await typist.sees("Set ANTHROPIC_API_KEY and start Baton again");
		typist.type("\x03");
		await typist.sees("Once more to leave.");
		typist.type("\x03");
		expect(await typist.exited).toBe(0);
	}, 60_000);

	it("two terminals see one conversation live, and both go on when the server is killed in mid-answer", async () => {
		const server = await start();
		const one = chat(["--new"], true);
		await one.sees(":help shows commands");
		one.type("Hello, my name is Alice.\r");
		await one.sees(/Alice[!.,]?\s/);
		const other = chat([], true);
		await other.sees("Hello, my name is Alice.");
		one.type("/stream 300 words every 10ms\r");
		await other.sees("(from elsewhere)");
		await other.sees("w50 ");
		server.process.kill("SIGKILL");
		await server.process.exited;
		await one.sees("the connection is lost");
		await start();
		for (const typist of [one, other]) {
			await typist.sees("connected again");
			await typist.sees(/\(taken back\)\s+\(the server was lost; the answer begins again\)/);
			await typist.sees("w300");
		}
		other.type("What is my name?\r");
		await one.sees(/What is my name\? +\(from elsewhere\)/);
		await one.sees("Your name is Alice.");
		one.type(":quit\r");
		expect(await one.exited).toBe(0);
	}, 120_000);
});
