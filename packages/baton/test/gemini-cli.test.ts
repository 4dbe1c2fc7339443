import { mkdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startFakeGemini, type TempDir, tempDir } from "@baton/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startServer } from "./support/baton";
import { allLines, attach, type Line, linesOf, readUntil, run, textOf } from "./support/turn";

const GEMINI = join(
	dirname(fileURLToPath(import.meta.resolve("@google/gemini-cli/package.json"))),
	"bundle/gemini.js",
);

let home: TempDir;
beforeEach(async () => {
	home = await tempDir();
});
afterEach(() => home.remove());

const FIELD = {
	fieldId: "name",
	selector: "#name",
	kind: "text",
	label: "Name",
	required: true,
	currentValue: "",
};

it("the real Gemini CLI asks the page through the relay, and gets its answer", async () => {
	const model = await startFakeGemini((request) => {
		const [result] = request.toolResults;
		if (result) return [{ text: `I see: ${JSON.stringify(result.response)}` }];
		const tool = request.tools.find((name) => name.endsWith("getFormSnapshot"));
		return [{ call: { name: tool ?? "none", args: { instruction: "Read the form" } } }];
	});
	const bin = join(home.path, "bin");
	await mkdir(bin);
	await symlink(GEMINI, join(bin, "gemini"));
	const server = await startServer({
		home: home.path,
		env: {
			PATH: `${bin}:${process.env.PATH}`,
			BATON_AGENT: "gemini",
			GEMINI_API_KEY: "a-key-for-the-fake-model",
			GOOGLE_GEMINI_BASE_URL: model.url,
			// Without one the CLI first asks a model which model to ask.
			GEMINI_MODEL: "gemini-2.5-flash",
		},
	});
	expect(server.banner).not.toContain("in place of");

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
	await model.stop();
}, 90_000);
