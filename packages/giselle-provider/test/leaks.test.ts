import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type NodeProcess, spawnNode, waitFor } from "@baton/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeLiveConnections, type GiselleAgentModel, getLiveConnection, giselle } from "../src";
import { options, toolResult, user } from "../src/__tests__/prompts";
import { createMemorySessions } from "../src/memory-sessions";
import { collectParts } from "../src/testing";

const TURNS = process.env.BATON_FULL ? 10_000 : 600;
/** Memory may wander by this much; a leak of 1 KB a turn would be 10 MB in the long form. */
const HEAP_SLACK = 6 * 1024 * 1024;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** An abort signal that outlives every turn, as a server's own does, and counts its listeners. */
function countingSignal() {
	const controller = new AbortController();
	const { signal } = controller;
	let listeners = 0;
	const [add, remove] = [
		signal.addEventListener.bind(signal),
		signal.removeEventListener.bind(signal),
	];
	signal.addEventListener = ((...args: Parameters<typeof add>) => {
		listeners++;
		add(...args);
	}) as typeof add;
	signal.removeEventListener = ((...args: Parameters<typeof remove>) => {
		listeners--;
		remove(...args);
	}) as typeof remove;
	return { signal, listeners: () => listeners };
}

describe("ten thousand turns with pauses, aborts and disconnects", () => {
	let server: NodeProcess;
	let url = "";
	beforeAll(async () => {
		server = spawnNode(fileURLToPath(new URL("./support/fake-server.mjs", import.meta.url)));
		url = (await server.waitForLine("listening")).split(" ")[1] ?? "";
	});
	afterAll(() => server.stop());

	it(
		"leave sockets, timers, listeners and heap where they were",
		async () => {
			const sessions = createMemorySessions();
			const model = giselle({ cloudApiUrl: url, sessions, requestGraceMs: 1, liveIdleMs: 50 });
			const long = countingSignal();
			const kinds: ((model: GiselleAgentModel, signal: AbortSignal) => Promise<unknown>)[] = [
				plain,
				hot,
				cold,
				abandoned,
				aborted,
				cancelled,
				cut,
			];
			const run = async (count: number) => {
				for (let n = 0; n < count; n += 4) {
					const four = [0, 1, 2, 3].map((k) => kinds[(n + k) % kinds.length]!(model, long.signal));
					await Promise.all(four);
				}
			};
			await run(200);
			const before = await measure();
			await run(TURNS);
			const after = await measure();
			expect(long.listeners()).toBe(0);
			expect(after.timers).toBeLessThanOrEqual(before.timers + 2);
			expect(after.sockets).toBeLessThanOrEqual(before.sockets + 4);
			expect(globalThis.__giselleProviderSessions?.size ?? 0).toBe(0);
			expect(after.heap - before.heap).toBeLessThan(HEAP_SLACK);
		},
		20 * 60_000,
	);

	async function measure() {
		await closeLiveConnections();
		// Connections that are kept for the next call close by themselves.
		await waitFor(() => count("Timeout") <= 8, { timeoutMs: 10_000, what: "timers to run out" });
		collectGarbage();
		await new Promise((resolve) => setTimeout(resolve, 50));
		collectGarbage();
		const heap = process.memoryUsage().heapUsed;
		return { heap, timers: count("Timeout"), sockets: count("TCPSocketWrap") };
	}
});

function count(kind: string): number {
	return process.getActiveResourcesInfo().filter((name) => name === kind).length;
}

async function stream(
	model: GiselleAgentModel,
	abortSignal: AbortSignal,
	...rest: [string, string?]
) {
	const [message, sessionId] = rest;
	return model.doStream({
		prompt: sessionId ? [user("ask"), ...toolResult(message)] : [user(message)],
		providerOptions: options({ ...(sessionId && { sessionId }) }),
		abortSignal,
	});
}

async function plain(model: GiselleAgentModel, signal: AbortSignal): Promise<void> {
	await collectParts((await stream(model, signal, "hello")).stream);
}

async function pause(model: GiselleAgentModel, signal: AbortSignal) {
	const { stream: parts, response } = await stream(model, signal, "ask");
	const call = (await collectParts(parts)).find(({ type }) => type === "tool-call");
	const id = response?.headers?.["x-giselle-session-id"] ?? "";
	return { id, requestId: call?.type === "tool-call" ? call.toolCallId : "" };
}

async function hot(model: GiselleAgentModel, signal: AbortSignal): Promise<void> {
	const { id, requestId } = await pause(model, signal);
	await collectParts((await stream(model, signal, requestId, id)).stream);
}

async function cold(model: GiselleAgentModel, signal: AbortSignal): Promise<void> {
	const { id, requestId } = await pause(model, signal);
	const connection = getLiveConnection(id);
	globalThis.__giselleProviderSessions?.delete(id);
	await connection?.reader.cancel();
	await collectParts((await stream(model, signal, requestId, id)).stream);
}

async function abandoned(model: GiselleAgentModel, signal: AbortSignal): Promise<void> {
	await pause(model, signal);
}

async function aborted(model: GiselleAgentModel): Promise<void> {
	const abort = new AbortController();
	const { stream: parts } = await stream(model, abort.signal, "endless");
	setTimeout(() => abort.abort(), 5);
	await collectParts(parts).catch(() => {});
}

async function cancelled(model: GiselleAgentModel, signal: AbortSignal): Promise<void> {
	const { stream: parts } = await stream(model, signal, "endless");
	const reader = parts.getReader();
	await reader.read();
	await reader.read();
	await reader.cancel();
}

async function cut(model: GiselleAgentModel, signal: AbortSignal): Promise<void> {
	await collectParts((await stream(model, signal, "cut")).stream);
}
