import { fileURLToPath } from "node:url";
import {
	launchChromium,
	type NodeProcess,
	requirePart,
	spawnNode,
	type TempDir,
	tempDir,
	waitFor,
} from "@baton/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const KEY = "example-key-0123456789abcdef";

describe("the examples, beside a server", () => {
	let folder: TempDir;
	let server: NodeProcess;
	let env: Record<string, string>;
	beforeAll(async () => {
		folder = await tempDir("baton-example");
		server = spawnNode(path("../../packages/baton/dist/cli.js"), {
			args: ["start"],
			env: {
				BATON_WEB: "off",
				BATON_PORT: "0",
				PROJ_JARVIS_PORT: "0",
				BATON_A2A_PORT: "0",
				BATON_API_KEYS: `ada:${KEY}`,
				BATON_DATA_DIR: folder.path,
			},
		});
		const addressOf = async (door: RegExp) => {
			const line = await server.waitForLine((text) => door.test(text), 20_000);
			return door.exec(line)?.[1] ?? "";
		};
		env = {
			KEY,
			AGENT_API_URL: await addressOf(/^ *Agent API +(http:\/\/[^/]+)/),
			GATEWAY_URL: await addressOf(/^ *Gateway +(ws:\S+)/),
			A2A_URL: await addressOf(/^ *A2A +(http:\S+)/),
		};
	});
	afterAll(async () => {
		await server?.stop();
		await folder?.remove();
	});

	const start = (name: string, args: string[] = [], more: Record<string, string> = {}) =>
		spawnNode(path(`../${name}`), { args, env: { ...env, ...more } });

	/** What a program writes, once it has ended well. */
	async function outputOf(child: NodeProcess): Promise<string[]> {
		const lines: string[] = [];
		for await (const line of child.lines) lines.push(line);
		expect((await child.exited).code, child.stderr).toBe(0);
		return lines;
	}

	it("answer-a-tool: another process fills in the form", async () => {
		const asking = start("answer-a-tool.mjs", ["ask"]);
		// It has the chat's name; until there is such a chat it is told so, and tries again.
		const answered = await waitFor(() => outputOf(start("answer-a-tool.mjs", ["answer"])));
		expect(JSON.parse(answered.at(-1) ?? "")).toEqual({
			"Full name": "Ada Lovelace",
			Email: "ada@example.org",
		});
		const asked = await outputOf(asking);
		expect(asked.at(-1)).toBe("success");
		expect(asked.slice(0, -1)).toEqual(answered.slice(0, -2));
	});

	it("a2a-client: a task is read to its end by somebody who has its id", async () => {
		expect((await outputOf(start("a2a-client.mjs"))).at(-1)).toMatch(/^1 2 3 .* 40$/);
	});

	it("websocket-client: what one client began to read, another reads on", async () => {
		const [left, whole] = await outputOf(start("websocket-client.mjs"));
		expect(left).toMatch(/^left after event \d+: 1/);
		expect(whole).toMatch(/^1 2 3 .* 40$/);
	});

	it.skipIf(!requirePart("chromium"))(
		"form-chat: the agent fills in the form, and asks",
		async () => {
			const example = start("form-chat/server.mjs", [], { PORT: "0" });
			const [browser, url] = await Promise.all([launchChromium(), example.waitForLine("http://")]);
			try {
				const page = await browser.newPage();
				await page.goto(url);
				await page.getByLabel("Message").fill("I am Ada Lovelace, ada@example.org. Submit it.");
				await page.getByRole("button", { name: "Send" }).click();
				await page.getByRole("button", { name: "Yes" }).click();
				const sent = await waitFor(() => page.locator("form#visit output").textContent());
				expect(JSON.parse(sent)).toEqual({ name: "Ada Lovelace", email: "ada@example.org" });
				await page.getByText("I did 3 of 3 steps").waitFor();
			} finally {
				await browser.close();
				await example.stop();
			}
		},
	);
});
