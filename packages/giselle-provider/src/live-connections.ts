import type { LiveConnection } from "./types";

declare global {
	/** Paused streams of this process, also where a bundler has this module twice. */
	var __giselleProviderSessions: Map<string, LiveConnection> | undefined;
}

/** A pause longer than this is resumed cold. */
const IDLE_MS = 120_000;
/** More paused streams than this are not kept: the one that waited longest is closed. */
const MAX_CONNECTIONS = 1_000;

const timers = new WeakMap<LiveConnection, ReturnType<typeof setTimeout>>();
let closesOnExit = false;

function getLiveConnectionMap(): Map<string, LiveConnection> {
	globalThis.__giselleProviderSessions ??= new Map();
	return globalThis.__giselleProviderSessions;
}

/** Keeps a paused stream, within the cap and for its idle time. The map owns it from here. */
export function saveLiveConnection(providerSessionId: string, connection: LiveConnection): void {
	const map = getLiveConnectionMap();
	const before = map.get(providerSessionId);
	if (before && before !== connection) void removeLiveConnection(providerSessionId);
	map.set(providerSessionId, connection);
	const timer = setTimeout(() => {
		if (map.get(providerSessionId) === connection) void removeLiveConnection(providerSessionId);
	}, connection.idleMs ?? IDLE_MS);
	// A pause must not keep a process alive that has nothing else to do. (No such method on the edge.)
	(timer as { unref?: () => void }).unref?.();
	timers.set(connection, timer);
	const oldest = map.size > MAX_CONNECTIONS ? map.keys().next().value : undefined;
	if (oldest !== undefined) void removeLiveConnection(oldest);
	closeOnExit();
}

export function getLiveConnection(providerSessionId: string): LiveConnection | undefined {
	return getLiveConnectionMap().get(providerSessionId);
}

/** The run of a chat that is paused in this process. */
export function findLiveRun(chatId: string): string | undefined {
	for (const [id, connection] of getLiveConnectionMap())
		if (connection.chatId === chatId) return id;
	return undefined;
}

/** Takes a connection out without closing it: whoever takes it owns it, and nobody else can. */
export function takeLiveConnection(providerSessionId: string): LiveConnection | undefined {
	const map = getLiveConnectionMap();
	const connection = map.get(providerSessionId);
	if (!connection) return undefined;
	map.delete(providerSessionId);
	clearTimeout(timers.get(connection));
	return connection;
}

export async function removeLiveConnection(providerSessionId: string): Promise<void> {
	const connection = takeLiveConnection(providerSessionId);
	if (connection) await closeLiveConnection(connection);
}

/** Closes what a connection holds. What is broken already counts as closed. */
export async function closeLiveConnection(connection: LiveConnection): Promise<void> {
	await Promise.allSettled([
		connection.reader.cancel(),
		Promise.resolve(connection.relaySubscription?.close()),
	]);
}

/** Closes every paused stream of this process; their runs can still be resumed cold. */
export async function closeLiveConnections(): Promise<void> {
	await Promise.all([...getLiveConnectionMap().keys()].map(removeLiveConnection));
}

function closeOnExit(): void {
	if (closesOnExit) return;
	closesOnExit = true;
	const { process } = globalThis as { process?: { on?(event: string, f: () => void): unknown } };
	process?.on?.("exit", () => void closeLiveConnections());
}
