import { mkdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type FakeGemini, startFakeGemini, type TempDir, tempDir } from "@baton/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Server, startServer } from "./support/baton";
import { allLines, attach, type Line, linesOf, readUntil, run, textOf } from "./support/turn";

const GEMINI = join(
	dirname(fileURLToPath(import.meta.resolve("@google/gemini-cli/package.json"))),
	"bundle/gemini.js",
);

let home: TempDir;
let model: FakeGemini;
const servers: Server[] = [];
beforeEach(async () => {
	home = await tempDir();
	const bin = join(home.path, "bin");
	await mkdir(bin);
	await symlink(GEMINI, join(bin, "gemini"));
});
afterEach(async () => {
	for (const { process } of servers.splice(0)) await process.stop();
	await model.stop();
	await home.remove();
});

/** A server whose default agent is the real Gemini CLI, which asks the fake model. */
async function start(): Promise<Server> {
	const server = await startServer({
		home: home.path,
		env: {
			PATH: `${join(home.path, "bin")}:${process.env.PATH}`,
			BATON_AGENT: "gemini",
			GEMINI_API_KEY: "a-key-for-the-fake-model",
			GOOGLE_GEMINI_BASE_URL: model.url,
			// Without one the CLI first asks a model which model to ask.
			GEMINI_MODEL: "gemini-2.5-flash",
		},
	});
	servers.push(server);
	return server;
}

const FIELD = {
	fieldId: "name",
	selector: "#name",
	kind: "text",
	label: "Name",
	required: true,
	currentValue: "",
};

it("the real Gemini CLI asks the page through the relay, and gets its answer", async () => {
	model = await startFakeGemini((request) => {
		const [result] = request.toolResults;
		if (result) return [{ text: `I see: ${JSON.stringify(result.response)}` }];
		const tool = request.tools.find((name) => name.endsWith("getFormSnapshot"));
		return [{ call: { name: tool ?? "none", args: { instruction: "Read the form" } } }];
	});
	const server = await start();
	expect(server.banner).not.toContain("in place of gemini");

	const lines = linesOf(await run(server, "Fill in my name", { session_id: "chat" }));
	const { value: relay } = (await lines.next()) as { value: Line };
	const request = await readUntil(lines, ({ type }) => type === "snapshot_request");
	expect(request).toMatchObject({ instruction: "Read the form" });
	const answer = await server.call("relay", {
		type: "relay.respond",
		sessionId: relay.sessionId,
		token: relay.token,
		response: { type: "snapshot_response", requestId: request.requestId, fields: [FIELD] },
	});
	expect(await answer.json()).toEqual({ ok: true });
	const end = await readUntil(lines, ({ type }) => type === "result");
	expect(end).toMatchObject({ status: "success" });
	expect(end.notice).toBeUndefined();

	const again = await allLines(await attach(server, "chat"));
	expect(textOf(again)).toContain("#name");
	server.process.kill("SIGTERM");
	expect(await server.process.exited).toMatchObject({ code: 0 });
	expect(server.process.stderr).not.toContain("a-key-for-the-fake-model");
}, 90_000);

it("the real Gemini CLI goes on in its own session when the API process was killed in mid-answer", async () => {
	const told = ["Once ", "upon ", "a ", "time "];
	model = await startFakeGemini([
		[...told.map((text) => ({ text })), { wait: 120_000 }],
		[{ text: "there was a cursor." }],
	]);
	const first = await start();
	const message = "Tell me a story.";
	const lines = linesOf(await run(first, message, { session_id: "chat" }));
	await readUntil(lines, ({ content }) => content === "time ");
	first.process.kill("SIGKILL");
	await first.process.exited;

	const again = await allLines(await attach(await start(), "chat"));
	expect(textOf(again)).toBe("Once upon a time there was a cursor.");
	expect(again.at(-1)).toMatchObject({ type: "result", status: "success" });
	expect(again.find(({ type }) => type === "recovered")).toMatchObject({
		policy: "resume",
		attempt: 2,
	});
	const seqs = again.flatMap(({ seq }) => seq ?? []);
	expect(seqs).toEqual(seqs.map((_, i) => (seqs[0] ?? 0) + i));
	// It is the CLI's own memory that went on: the question was not asked a second time.
	const texts = model.requests[1]?.messages.map(({ text }) => text) ?? [];
	expect(texts.filter((text) => text.includes(message))).toHaveLength(1);
	expect(texts.at(-1)).toContain("Once upon a time");
	expect(model.requests).toHaveLength(2);
}, 90_000);
