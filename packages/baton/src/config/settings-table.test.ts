import { readFile } from "node:fs/promises";
import { claudeCodeCli, codexCli, geminiCli } from "@baton/agent/cli";
import { MODEL_PROVIDERS } from "@baton/agent/model";
import { REDIS_VARIABLES } from "@baton/session";
import { describe, expect, it } from "vitest";
import { SETTINGS } from "./settings";
import { settingsTable } from "./settings-table";

const document = new URL("../../../../docs/configuration.md", import.meta.url);

describe("the table of settings", () => {
	it("is the one in docs/configuration.md", async () => {
		const text = await readFile(document, "utf8");
		const between = /<!-- settings -->\n([\s\S]*?)\n<!-- \/settings -->/.exec(text)?.[1];
		expect(between?.trim()).toBe(settingsTable());
	});

	it("has every variable that an agent or the store looks for", () => {
		const wanted = [
			...[geminiCli(), codexCli(), claudeCodeCli()].flatMap((cli) => [
				cli.keyVariable,
				...cli.variables,
			]),
			...Object.values(MODEL_PROVIDERS).flatMap((provider) => Object.values(provider)),
			...REDIS_VARIABLES,
		];
		expect(Object.keys(SETTINGS)).toEqual(expect.arrayContaining(wanted));
	});

	it("hides every key and every address that holds a password", () => {
		const secret = Object.entries(SETTINGS).filter(([, setting]) => "secret" in setting);
		const named = Object.keys(SETTINGS).filter((name) =>
			/KEYS?$|TOKEN$|SECRET$|HEADERS$|^(REDIS|KV|UPSTASH).*_URL$/.test(name),
		);
		expect(secret.map(([name]) => name).sort()).toEqual(named.sort());
	});
});
