import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { type TempDir, tempDir } from "@baton/testkit";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { getDataDir, getSessionsDir } from "./data-dir";

let home: TempDir;

beforeEach(async () => {
	home = await tempDir("baton-home");
	vi.stubEnv("HOME", home.path);
	vi.stubEnv("BATON_DATA_DIR", "");
});
afterEach(async () => {
	vi.unstubAllEnvs();
	await home.remove();
});

it("the data folder is ~/.proj-jarvis, made with its sessions, for its owner alone", async () => {
	expect(homedir()).toBe(home.path);
	const dir = join(home.path, ".proj-jarvis");
	expect(getDataDir()).toBe(dir);
	expect(existsSync(join(dir, "sessions"))).toBe(true);
	expect((await stat(dir)).mode & 0o777).toBe(0o700);
	expect(getSessionsDir()).toBe(join(dir, "sessions"));
});

it("BATON_DATA_DIR moves it", () => {
	vi.stubEnv("BATON_DATA_DIR", "~/elsewhere");
	expect(getSessionsDir()).toBe(join(home.path, "elsewhere", "sessions"));
	vi.stubEnv("BATON_DATA_DIR", join(home.path, "absolute"));
	expect(getDataDir()).toBe(join(home.path, "absolute"));
});
