import { randomUUID } from "node:crypto";
import { mkdir, open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SessionValue } from "@baton/agent";
import { openStore } from "@baton/session";
import { tempDir, waitFor } from "@baton/testkit";
import { expect, it } from "vitest";
import WebSocket from "ws";
import { openGateway, TOKEN } from "./support/gateway-fixture";
import { Peer } from "./support/peer";

const FULL = Boolean(process.env.BATON_FULL);

it("a transcript of 100 MB is read from its end, and goes on", async () => {
	const folder = await tempDir("baton-large");
	const dir = join(folder.path, "sessions");
	await mkdir(dir);
	const key = randomUUID();
	const meta = { key, agentId: "assistant", createdAt: 1, updatedAt: 1 };
	await writeFile(join(dir, `${key}.meta.json`), JSON.stringify(meta));
	const rows = await writeTranscript(join(dir, `${key}.jsonl`), 100 * 1024 * 1024);
	const store = await openStore({ driver: "files", dir: folder.path });
	const gateway = await openGateway({ store, dataDir: folder.path });
	const peer = await gateway.open();
	const { messages, hasMore, first } = await peer.call<{
		messages: { content: string }[];
		hasMore: boolean;
		first: number;
	}>("chat.history", { sessionKey: key });
	expect(messages).toHaveLength(100);
	expect(messages[99]?.content.startsWith(`${rows} `)).toBe(true);
	expect({ hasMore, first }).toEqual({ hasMore: true, first: rows - 99 });
	const middle = await peer.call<{ messages: { content: string }[] }>("chat.history", {
		sessionKey: key,
		before: 5_001,
		limit: 10,
	});
	expect(middle.messages.map(({ content }) => content.split(" ")[0])).toEqual(
		Array.from({ length: 10 }, (_, i) => String(4_991 + i)),
	);
	const got = await peer.call<{ messages: object[] }>("sessions.get", { sessionKey: key });
	expect(got.messages).toHaveLength(500);
	await peer.chat(key, "Hello");
	await gateway.close();
	await folder.remove();
}, 120_000);

/** Rows of about 1 KB, numbered from 1. */
async function writeTranscript(path: string, bytes: number): Promise<number> {
	const file = await open(path, "w");
	const pad = "x".repeat(950);
	let row = 0;
	for (let written = 0; written < bytes; ) {
		let chunk = "";
		for (let i = 0; i < 1_000; i++) {
			const role = row % 2 ? "assistant" : "user";
			chunk += `${JSON.stringify({ role, content: `${++row} ${pad}`, timestamp: row })}\n`;
		}
		await file.write(chunk);
		written += chunk.length;
	}
	await file.close();
	return row;
}

const SESSIONS = FULL ? 10_000 : 1_000;

it(`${SESSIONS} sessions are listed in pages, each once, and one more is made and found`, async () => {
	const folder = await tempDir("baton-many");
	const store = await openStore({ driver: "files", dir: folder.path, fsync: "never" });
	const sessions = store.collection<SessionValue>("sessions");
	const gateway = await openGateway({ store, dataDir: folder.path });
	const keys = Array.from({ length: SESSIONS }, () => randomUUID());
	for (let i = 0; i < keys.length; i += 50) {
		await Promise.all(
			keys.slice(i, i + 50).map((id, n) =>
				gateway.turns.create({
					id,
					agentId: "assistant",
					owner: "local",
					door: "gateway",
					label: `Talk ${i + n}`,
				}),
			),
		);
	}
	const peer = await gateway.open();
	const seen = new Set<string>();
	let count = 0;
	let cursor: string | null = null;
	do {
		const page: { sessions: { key: string }[]; cursor: string | null } = await peer.call(
			"sessions.list",
			{ limit: 500, ...(cursor && { cursor }) },
		);
		for (const { key } of page.sessions) seen.add(key);
		count += page.sessions.length;
		cursor = page.cursor;
	} while (cursor);
	expect(count).toBe(SESSIONS);
	expect(seen).toEqual(new Set(keys));
	const sessionKey = await peer.createSession();
	await peer.chat(sessionKey, "Hello");
	expect(await peer.call("sessions.list", { limit: 1 })).toMatchObject({
		sessions: [{ key: sessionKey }],
	});
	expect(await sessions.get(sessionKey)).not.toBeNull();
	await gateway.close();
	await folder.remove();
}, 300_000);

const SOCKETS = FULL ? 5_000 : 500;

it(`${SOCKETS} idle sockets stay open, and a chat among them is as it was`, async () => {
	const gateway = await openGateway({
		limits: { socketsPerAddress: SOCKETS + 10, pingMs: 1_000, handshakeMs: 120_000 },
	});
	const sockets: WebSocket[] = [];
	let closed = 0;
	for (let i = 0; i < SOCKETS; i += 100) {
		await Promise.all(
			Array.from({ length: Math.min(100, SOCKETS - i) }, async () => {
				const ws = new WebSocket(gateway.url);
				sockets.push(ws);
				ws.on("close", () => closed++);
				ws.on("error", () => {});
				await new Promise((resolve) => ws.once("open", resolve));
				ws.send(JSON.stringify({ type: "auth", token: TOKEN }));
				await new Promise((resolve) => ws.once("message", resolve));
			}),
		);
	}
	const peer = await gateway.open();
	const sessionKey = await peer.createSession();
	const { end } = await peer.chat(sessionKey, "/stream 100 words");
	expect(end.event).toBe("chat.final");
	let pings = 0;
	sockets[0]!.on("ping", () => pings++);
	await waitFor(() => pings >= 2, { timeoutMs: 60_000 });
	expect(closed).toBe(0);
	for (const ws of sockets) ws.terminate();
	await gateway.close();
}, 300_000);

const FRAMES = FULL ? 100_000 : 4_000;

it(`${FRAMES} fuzzed frames break nothing: no failure of ours, every answer has its form`, async () => {
	const gateway = await openGateway({
		limits: { socketsPerAddress: 100_000, refusedPerMinute: 1_000_000 },
	});
	const random = createRandom(4711);
	let peer = await gateway.open();
	const sessionKey = await peer.createSession();
	for (let i = 0; i < FRAMES; i++) {
		if (peer.closed) peer = await gateway.open();
		const frame = fuzzedFrame(random, sessionKey);
		if (typeof frame === "string") peer.text(frame);
		else peer.ws.send(frame, { binary: random() < 0.5 });
		if (i % 200 === 0) {
			peer.text(JSON.stringify({ id: `check-${i}`, method: "health.check" }));
			await waitFor(() => peer.closed ?? peer.frames.some(({ id }) => id === `check-${i}`));
			for (const { id, error } of peer.frames.splice(0)) {
				if (error)
					expect([typeof error.code, typeof error.message, id !== undefined]).toEqual([
						"number",
						"string",
						true,
					]);
				expect(error?.code).not.toBe(-32603);
			}
		}
	}
	const last = await Peer.open(gateway.url, TOKEN);
	await last.call("sessions.get", { sessionKey });
	expect(gateway.warnings).toEqual([]);
	await gateway.close();
}, 600_000);

const METHODS = [
	"hello",
	"health.check",
	"agents.list",
	"sessions.list",
	"sessions.get",
	"sessions.patch",
	"sessions.search",
	"chat.history",
	"chat.abort",
	"chat.subscribe",
	"chat.unsubscribe",
	"chat.send",
	"no.such",
	"__proto__",
];

function fuzzedFrame(random: () => number, sessionKey: string): string | Buffer {
	const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
	const value = (depth = 0): unknown =>
		pick<() => unknown>([
			() => null,
			() => random() * 1e9,
			() => -1,
			() => "",
			() => "x".repeat(random() * 300),
			() => sessionKey,
			() => "\u0000\ud800",
			() => true,
			() => (depth < 3 ? [value(depth + 1)] : []),
			() => (depth < 3 ? { [pick(["a", "__proto__", "sessionKey", "id"])]: value(depth + 1) } : {}),
		])();
	const params: Record<string, unknown> = {};
	for (const name of [
		"sessionKey",
		"limit",
		"cursor",
		"after",
		"before",
		"message",
		"runId",
		"label",
		"query",
		"idempotencyKey",
		"whenBusy",
	]) {
		if (random() < 0.4)
			params[name] = random() < 0.5 && name === "sessionKey" ? sessionKey : value();
	}
	const request = {
		id: random() < 0.9 ? "f" : value(),
		method: random() < 0.9 ? pick(METHODS) : value(),
		params: random() < 0.9 ? params : value(),
	};
	const text = JSON.stringify(request);
	const kind = random();
	if (kind < 0.6) return text;
	if (kind < 0.75) return text.slice(0, random() * text.length);
	if (kind < 0.85) {
		const at = Math.floor(random() * text.length);
		return (
			text.slice(0, at) + pick(["{", "}", '"', "\\", "\u0000", ",", "[[[["]) + text.slice(at + 1)
		);
	}
	return Buffer.from(Array.from({ length: random() * 200 }, () => random() * 256));
}

/** The same frames each time: a failure can be looked at again. */
function createRandom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	};
}
