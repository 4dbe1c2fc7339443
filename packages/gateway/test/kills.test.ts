import { fileURLToPath } from "node:url";
import type { StoreConfig } from "@baton/session";
import { freePort, type NodeProcess, spawnNode, tempDir, waitFor } from "@baton/testkit";
import { expect, it } from "vitest";
import type { GatewayEvent } from "../src/client";
import { connectGateway } from "../src/client/node";
import { TOKEN } from "./support/gateway-fixture";

const KILLS = process.env.BATON_FULL ? 200 : 6;
const PROGRAM = fileURLToPath(new URL("./support/gateway-process.mjs", import.meta.url));

async function start(config: StoreConfig, port: number): Promise<NodeProcess> {
	const child = spawnNode(PROGRAM, { args: [JSON.stringify(config), String(port)] });
	await child.waitForLine("ready", 30_000);
	return child;
}

it(`${KILLS} SIGKILLs at random moments: every acknowledged message is in the history once, every run ends once`, async () => {
	const folder = await tempDir("baton-kills");
	const config: StoreConfig = { driver: "files", dir: folder.path };
	const port = await freePort();
	let server = await start(config, port);
	const client = connectGateway({
		url: `ws://127.0.0.1:${port}`,
		token: TOKEN,
		minPauseMs: 10,
		maxPauseMs: 50,
	});
	const { sessionKey } = await client.call("sessions.create", {});
	const events: GatewayEvent[] = [];
	client.subscribe(sessionKey, (event) => events.push(event), { after: 0 });
	const acknowledged = new Map<string, string>();
	let sending = true;
	let sent = 0;
	const sender = (async () => {
		while (sending) {
			const message = `/stream ${1 + (sent % 40)} words every 1ms`;
			const unique = `${message} ${"  ".repeat(sent++ % 5)}`.trimEnd();
			acknowledged.set((await client.send(sessionKey, unique)).runId, unique);
		}
	})();
	for (let kill = 0; kill < KILLS; kill++) {
		const seen = events.length;
		const some = Math.floor(Math.random() * 80);
		await waitFor(() => events.length > seen + some, { timeoutMs: 60_000, everyMs: 1 });
		server.kill("SIGKILL");
		await server.exited;
		server = await start(config, port);
	}
	sending = false;
	await sender;
	const endsOf = () =>
		events.flatMap(({ event, data }) =>
			event === "chat.final" || event === "chat.error" || event === "chat.aborted"
				? data.runId
				: [],
		);
	await waitFor(() => new Set(endsOf()).size >= acknowledged.size, { timeoutMs: 120_000 });
	const ends = endsOf();
	expect(ends.toSorted()).toEqual([...acknowledged.keys()].toSorted());
	const rows: { role: string; content: string; runId?: string }[] = [];
	for (let before: number | undefined; ; ) {
		const page = await client.call("chat.history", { sessionKey, limit: 500, before });
		rows.unshift(...page.messages);
		if (!page.hasMore) break;
		before = page.first;
	}
	const said = rows.filter(({ role }) => role === "user");
	expect(new Map(said.map(({ runId = "", content }) => [runId, content]))).toEqual(acknowledged);
	expect(said).toHaveLength(acknowledged.size);
	const answers = rows.filter(({ role }) => role === "assistant").map(({ runId }) => runId);
	expect(answers.toSorted()).toEqual([...acknowledged.keys()].toSorted());
	const seqs = events.flatMap(({ data }) => ("seq" in data ? data.seq : []));
	expect(seqs).toEqual([...new Set(seqs)].toSorted((a, b) => a - b));
	expect(acknowledged.size).toBeGreaterThan(KILLS / 2);
	client.close();
	await server.stop();
	await folder.remove();
}, 1_800_000);
