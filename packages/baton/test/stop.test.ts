import { demoPieces } from "@baton/agent/demo";
import { type TempDir, tempDir, waitFor } from "@baton/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type RunOptions, type Server, startServer } from "./support/baton";
import { allLines, attach, type Line, linesOf, readUntil, run, textOf } from "./support/turn";

let home: TempDir;
const servers: Server[] = [];

beforeEach(async () => {
	home = await tempDir();
});
afterEach(async () => {
	await Promise.all(servers.splice(0).map((server) => server.process.stop()));
	await home.remove();
});

async function start(env: RunOptions["env"] = {}): Promise<Server> {
	const server = await startServer({ home: home.path, env });
	servers.push(server);
	return server;
}

const isMessage = ({ type }: Line) => type === "message";
const wholeText = (message: string) => [...demoPieces(message)].join("");
const endOf = (lines: Line[]) => lines.filter(({ type }) => type === "result");

describe("a stop", () => {
	it("lets a running turn end, and its reader read it to the end", async () => {
		const server = await start();
		const message = "/stream 40 words every 20ms";
		const lines = linesOf(await run(server, message));
		const read = [await readUntil(lines, isMessage)];
		server.process.kill("SIGTERM");
		for await (const line of lines) read.push(line);
		expect(await server.process.exited).toEqual({ code: 0, signal: null });
		expect(textOf(read)).toBe(wholeText(message));
		expect(read.at(-1)).toMatchObject({ type: "result", status: "success" });
	});

	it("ends an idle server at once, also with a client that keeps its connection", async () => {
		const server = await start();
		await (await fetch(`${server.url}/health`)).text();
		const begin = performance.now();
		server.process.kill("SIGINT");
		expect(await server.process.exited).toEqual({ code: 0, signal: null });
		expect(performance.now() - begin).toBeLessThan(2_000);
	});

	it("takes no new turn", async () => {
		const server = await start();
		const lines = linesOf(await run(server, "/stream 100 words every 20ms"));
		await readUntil(lines, isMessage);
		server.process.kill("SIGTERM");
		await waitFor(() => server.process.stderr.includes("Stopping."));
		const outcome = await run(server, "Hello").then(
			({ status }) => status,
			() => "refused",
		);
		expect(["refused", 503]).toContain(outcome);
	});

	it("leaves a long turn to the next start, which ends it", async () => {
		const first = await start({ BATON_STOP_SECONDS: "0" });
		const message = "/stream 100 words every 20ms";
		const lines = linesOf(await run(first, message, { session_id: "chat" }));
		await readUntil(lines, isMessage);
		first.process.kill("SIGTERM");
		expect(await first.process.exited).toEqual({ code: 0, signal: null });
		const again = await allLines(await attach(await start(), "chat"));
		expect(textOf(again)).toBe(wholeText(message));
		expect(endOf(again)).toMatchObject([{ status: "success" }]);
	});

	it("is at once when it is asked for twice", async () => {
		const server = await start({ BATON_STOP_SECONDS: "60" });
		const lines = linesOf(await run(server, "/wait 60s"));
		await readUntil(lines, ({ type }) => type === "init");
		server.process.kill("SIGTERM");
		await waitFor(() => server.process.stderr.includes("Stopping."));
		server.process.kill("SIGTERM");
		expect(await server.process.exited).toEqual({ code: 143, signal: null });
	});
});

describe("a server that is killed in the middle of an answer", () => {
	it("goes on with it at the next start: who attaches gets the whole of it, once", async () => {
		const first = await start();
		const message = "/stream 200 words every 10ms";
		const lines = linesOf(await run(first, message, { session_id: "chat" }));
		await readUntil(lines, ({ content }) => content === "w50 ");
		first.process.kill("SIGKILL");
		await first.process.exited;
		const again = await allLines(await attach(await start(), "chat"));
		expect(textOf(again)).toBe(wholeText(message));
		expect(endOf(again)).toMatchObject([{ status: "success" }]);
		const seqs = again.flatMap(({ seq }) => seq ?? []);
		expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
	});
});

describe("a mistake that nobody caught", () => {
	it.each([
		["an exception", "throw new Error('boom-4711')"],
		["a rejection", "Promise.reject(new Error('boom-4711'))"],
	])(
		"%s is written down, ends the process, and leaves its turns to the next start",
		async (_, code) => {
			const trap = `process.on('SIGUSR2',()=>{${code}})`;
			const broken = await start({
				NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(trap)}`,
			});
			const message = "/stream 100 words every 20ms";
			const lines = linesOf(await run(broken, message, { session_id: "chat" }));
			await readUntil(lines, isMessage);
			broken.process.kill("SIGUSR2");
			expect(await broken.process.exited).toEqual({ code: 1, signal: null });
			const fatal = broken.process.stderr.split("\n").find((line) => line.includes('"fatal"'));
			expect(JSON.parse(fatal ?? "{}")).toMatchObject({ error: { message: "boom-4711" } });
			const again = await allLines(await attach(await start(), "chat"));
			expect(textOf(again)).toBe(wholeText(message));
			expect(endOf(again)).toMatchObject([{ status: "success" }]);
		},
	);
});
