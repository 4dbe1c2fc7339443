import { mkdir, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import {
	type FakeGemini,
	launchChromium,
	requirePart,
	startFakeGemini,
	type TempDir,
	tempDir,
} from "@baton/testkit";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { newChatPage } from "./support/chat-page";
import { startWeb, type WebServer } from "./support/web-server";

/* Real browsers and servers: slow on a machine that is busy. */
vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 });

const require = createRequire(import.meta.url);
const GEMINI = join(
	dirname(require.resolve("@google/gemini-cli/package.json")),
	"bundle/gemini.js",
);

type Field = { fieldId: string; label: string };

describe.skipIf(!requirePart("chromium"))(
	"the playground, with the real Gemini CLI behind it",
	() => {
		let folder: TempDir;
		let model: FakeGemini;
		let server: WebServer;
		let browser: Browser;
		beforeAll(async () => {
			folder = await tempDir("gemini-bin");
			await mkdir(join(folder.path, "bin"));
			await symlink(GEMINI, join(folder.path, "bin", "gemini"));
			// A model that looks at the form, fills two fields, sends it, and says so.
			model = await startFakeGemini((request) => {
				const tool = (name: string) => request.tools.find((known) => known.endsWith(name)) ?? name;
				const results = request.toolResults;
				if (results.length === 0) {
					return [
						{ text: "Let me see. " },
						{ call: { name: tool("getFormSnapshot"), args: { instruction: "Read the form" } } },
					];
				}
				if (results.length > 1) return [{ text: "The form is sent." }];
				const fields = fieldsIn(results[0]?.response);
				const id = (label: string) => fields.find((field) => field.label === label)?.fieldId;
				const actions = [
					{ action: "fill", fieldId: id("Full name"), value: "Ada Lovelace" },
					{ action: "fill", fieldId: id("Email"), value: "ada@example.org" },
					{ action: "fill", fieldId: id("Earliest start"), value: "2027-03" },
					{ action: "click", fieldId: id("Submit application") },
				];
				return [{ call: { name: tool("executeFormActions"), args: { actions, fields } } }];
			});
			[server, browser] = await Promise.all([
				startWeb({
					PATH: `${join(folder.path, "bin")}:${process.env.PATH}`,
					BATON_AGENT: "gemini",
					GEMINI_API_KEY: "a-key-for-the-fake-model",
					GOOGLE_GEMINI_BASE_URL: model.url,
					GEMINI_MODEL: "gemini-2.5-flash",
				}),
				launchChromium(),
			]);
		});
		afterAll(async () => {
			await browser?.close();
			await server?.stop();
			await model?.stop();
			await folder?.remove();
		});

		it("fills the form, asks before it sends it, and says what it did", async () => {
			const chat = await (await newChatPage(browser)).open(server.url);
			await chat.say("I am Ada Lovelace, ada@example.org, start in March");
			await chat.button("Approve").waitFor({ timeout: 60_000 });
			expect(await chat.filled()).toEqual(["Ada Lovelace", "ada@example.org", "2027-03"]);
			await chat.button("Approve").click();
			await chat.saidUntil((text) => text.includes("The form is sent."), 60_000);
			await chat.settled();
			expect(await chat.page.locator("form.sheet[data-sent]").count()).toBe(1);
			// The CLI's own calls and the page's are the same steps: each is shown once.
			expect(await chat.steps()).toHaveLength(2);
			await chat.picture("gemini-cli");
			expect(chat.problems).toEqual([]);
		});
	},
);

/** The fields in a tool's result, whose JSON the CLI wraps in words of its own. */
function fieldsIn(response: unknown): Field[] {
	const { output } = response as { output: string };
	const json = output.slice(output.indexOf("{"), output.lastIndexOf("}") + 1);
	return (JSON.parse(json) as { fields: Field[] }).fields;
}
