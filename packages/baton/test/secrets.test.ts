import { type TempDir, tempDir } from "@baton/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startServer } from "./support/baton";
import { allLines, run } from "./support/turn";

let home: TempDir;
beforeEach(async () => {
	home = await tempDir();
});
afterEach(() => home.remove());

const KEY = "ada-key-of-the-agent-api-0123";
const SECRETS = {
	BATON_API_KEYS: `ada:${KEY}`,
	ANTHROPIC_API_KEY: "anthropic-key-0123456789",
	GEMINI_API_KEY: "gemini-key-0123456789",
	OPENAI_API_KEY: "openai-key-0123456789",
};
const WRONG_KEY = "someone-elses-key-0123456789";
const FORGED = "forged-relay-token-0123456789";

it("no line of the log holds a secret of a header, a body, an address or a setting", async () => {
	const server = await startServer({
		home: home.path,
		env: { ...SECRETS, BATON_LOG_LEVEL: "trace", BATON_MAX_BODY_BYTES: "4096" },
	});
	const { url, call } = server;
	const lines = await allLines(await run(server, `My secret is ${KEY}. /fail ${FORGED}`));
	const { sessionId, token } = lines[0] as unknown as { sessionId: string; token: string };
	const failed = await allLines(await run(server, `/fail with ${SECRETS.OPENAI_API_KEY}`));
	expect(failed.at(-1)).toMatchObject({ status: "error" });

	const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });
	const relay = `${url}/agent-api/relay?type=relay.events&sessionId=${sessionId}`;
	const leave = new AbortController();
	const events = await fetch(`${relay}&token=${token}`, { signal: leave.signal });
	await events.body!.getReader().read();
	leave.abort();
	const answers = await Promise.all([
		fetch(`${relay}&token=${FORGED}`),
		fetch(`${url}/agent-api/run?key=${KEY}&token=${token}`, {
			method: "POST",
			...bearer(WRONG_KEY),
		}),
		fetch(`${url}/${FORGED}?api_key=${KEY}`, bearer(KEY)),
		call("run", `{"token":"${token}"`),
		call("run", { type: "agent.run", message: KEY.repeat(300) }),
		call("relay", { type: "relay.respond", sessionId, token: FORGED, response: { token } }),
		call("abort", { session_id: token }),
	]);
	expect(answers.every(({ status }) => status >= 400 && status < 500)).toBe(true);

	server.process.kill("SIGTERM");
	await server.process.exited;
	const log = server.process.stderr;
	const logged = log.trim().split("\n");
	expect(logged.length).toBeGreaterThan(8);
	expect(logged.map((line) => JSON.parse(line).msg)).toContain("POST /agent-api/run 401");
	const secrets = [KEY, token, WRONG_KEY, ...Object.values(SECRETS)];
	for (const secret of secrets) expect(log).not.toContain(secret);
	expect(log).not.toContain(`token=${FORGED}`);
});
