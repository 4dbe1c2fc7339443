import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TempDir, tempDir } from "@baton/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ConfigError } from "./config-error";
import { loadConfig } from "./load-config";

let home: TempDir;
beforeEach(async () => {
	home = await tempDir();
});
afterEach(() => home.remove());

const load = (env: Record<string, string>) => loadConfig(env, home.path);

async function problemsOf(env: Record<string, string>): Promise<Record<string, string>> {
	const error = await load(env).catch((thrown: unknown) => thrown);
	if (!(error instanceof ConfigError)) throw error;
	return Object.fromEntries(error.problems.map(({ name, reason }) => [name, reason]));
}

async function writeConfig(content: unknown): Promise<string> {
	await mkdir(join(home.path, ".proj-jarvis"), { recursive: true });
	const path = join(home.path, ".proj-jarvis", "config.json");
	await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
	return path;
}

describe("the configuration", () => {
	it("is complete without any setting", async () => {
		expect(await load({})).toMatchObject({
			host: "127.0.0.1",
			port: 3000,
			dataDir: join(home.path, ".proj-jarvis"),
			agent: "demo",
			demoStandsIn: true,
			apiKeys: undefined,
			redis: undefined,
			corsOrigins: [],
			warnings: [],
			secrets: [],
		});
	});

	it("takes the environment before the file, and the file before the default", async () => {
		const file = await writeConfig({ BATON_PORT: 4000, BATON_AGENT: "gemini", BATON_DEMO: false });
		const config = await load({ BATON_PORT: "5000", BATON_AGENT: "" });
		expect(config).toMatchObject({ port: 5000, agent: "gemini", demoStandsIn: false, file });
	});

	it("gives agents the keys of the file too", async () => {
		await writeConfig({ GEMINI_API_KEY: "from-the-file" });
		const { environment, secrets } = await load({ PATH: "/bin" });
		expect(environment).toMatchObject({ GEMINI_API_KEY: "from-the-file", PATH: "/bin" });
		expect(secrets).toEqual(["from-the-file"]);
	});

	it("reads the file that BATON_CONFIG names, which must be there", async () => {
		const path = join(home.path, "other.json");
		await writeFile(path, '{"BATON_DATA_DIR": "~/elsewhere"}');
		const config = await load({ BATON_CONFIG: "~/other.json" });
		expect(config.dataDir).toBe(join(home.path, "elsewhere"));
		const problems = await problemsOf({ BATON_CONFIG: join(home.path, "none.json") });
		expect(problems.BATON_CONFIG).toContain("does not exist");
	});

	it("takes second names where they fit, and leaves to other programs what does not", async () => {
		const key = "a-key-of-the-bridge-0123";
		const taken = await load({ LOG_LEVEL: "debug", API_KEY: key });
		expect([taken.logLevel, taken.a2a.apiKey, taken.warnings]).toEqual(["debug", key, []]);
		expect(taken.secrets).toContain(key);
		const first = await load({ BATON_LOG_LEVEL: "warn", LOG_LEVEL: "debug" });
		expect(first.logLevel).toBe("warn");
		const others = await load({ LOG_LEVEL: "verbose", API_KEY: "short" });
		expect([others.logLevel, others.a2a.apiKey]).toEqual(["info", undefined]);
		expect(others.warnings).toEqual([
			expect.stringMatching(/^LOG_LEVEL is not used: "verbose" is none of .*\(BATON_LOG_LEVEL\)/),
			expect.stringMatching(/^API_KEY is not used: is not a key of .*\(BATON_A2A_API_KEY\)/),
		]);
		expect(others.warnings.join()).not.toContain("short");
	});

	it("names everything that is wrong at once, with the reason", async () => {
		await writeConfig({ BATON_PROT: 1, BATON_FSYNC: "sometimes" });
		const problems = await problemsOf({
			BATON_PORT: "70000",
			BATON_DEMO: "perhaps",
			BATON_CORS_ORIGINS: "https://a.example/path",
			BATON_LOG_LEVEL: "loud",
			BATON_API_KEYS: "ada:short",
			REDIS_URL: "http://example.com",
			BATON_PUBLIC_URL: "example.com",
		});
		expect(problems).toEqual({
			BATON_PORT: '"70000" is not a whole number from 0 to 65535',
			BATON_DEMO: '"perhaps" is neither on nor off',
			BATON_CORS_ORIGINS: expect.stringContaining("is not a list of origins"),
			BATON_LOG_LEVEL: expect.stringContaining('"loud" is none of'),
			BATON_API_KEYS: expect.stringContaining("key of entry 1"),
			REDIS_URL: "is not a redis:// or rediss:// address",
			BATON_PUBLIC_URL: '"example.com" is not an http:// or https:// address',
			BATON_FSYNC: expect.stringContaining('"sometimes" is none of'),
			BATON_PROT: "is not a setting; did you mean BATON_PORT?",
		});
	});

	it("never repeats a secret that is wrong", async () => {
		const error = await load({
			BATON_API_KEYS: "no-colon-secret",
			REDIS_URL: "https://me:hunter22@host",
		}).catch((thrown: Error) => thrown);
		expect(String(error)).not.toMatch(/no-colon-secret|hunter22/);
	});

	it.each([
		["no JSON", "{BATON_PORT: secret", "is not JSON"],
		["no object", "[]", "is not a JSON object"],
		["a value of another kind", '{"BATON_PORT":{}}', '"BATON_PORT" is neither'],
	])("says that the file has %s", async (_, content, reason) => {
		await writeConfig(content);
		expect((await problemsOf({})).BATON_CONFIG).toContain(reason);
	});

	it("does not let the data folder's file move the data folder", async () => {
		await writeConfig({ BATON_DATA_DIR: "/elsewhere" });
		expect((await problemsOf({})).BATON_DATA_DIR).toContain("cannot be set");
	});

	it("warns of a variable that looks like a setting and is none", async () => {
		const { warnings } = await load({ BATON_AGNET: "gemini" });
		expect(warnings).toEqual(["BATON_AGNET is not a setting; did you mean BATON_AGENT?"]);
	});

	it("looks for Redis in the order of the variables, and knows the passwords", async () => {
		const config = await load({
			KV_URL: "redis://:in-kv-0123@kv:6379",
			REDIS_URL: "rediss://ada:lovelace@main:6380",
			REDIS_TLS_REJECT_UNAUTHORIZED: "false",
		});
		expect(config.redis).toMatchObject({ variable: "REDIS_URL", rejectUnauthorized: false });
		expect(config.secrets).toEqual(expect.arrayContaining(["lovelace", "in-kv-0123"]));
	});
});
