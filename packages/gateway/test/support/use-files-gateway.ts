import { join } from "node:path";
import { openStore } from "@baton/session";
import { type TempDir, tempDir } from "@baton/testkit";
import { afterEach, beforeEach } from "vitest";
import { type GatewayFixture, openGateway } from "./gateway-fixture";
import type { Peer } from "./peer";

export interface Meta {
	key: string;
	agentId: string;
	label?: string;
	createdAt: number;
	updatedAt: number;
}

/** A gateway over files for each test, and a socket to it; it can be started again on the same files. */
export function useFilesGateway() {
	let folder: TempDir;
	let gateway: GatewayFixture;
	let peer: Peer;

	beforeEach(async () => {
		folder = await tempDir("baton-sessions");
		await start();
	});
	afterEach(async () => {
		await gateway.close();
		await folder.remove();
	});

	async function start(): Promise<void> {
		const store = await openStore({ driver: "files", dir: folder.path, onProblem() {} });
		gateway = await openGateway({ store, dataDir: folder.path });
		peer = await gateway.open();
	}

	return {
		get folder() {
			return folder.path;
		},
		get gateway() {
			return gateway;
		},
		get peer() {
			return peer;
		},
		start,
		async restart(between: () => Promise<void> = async () => {}): Promise<void> {
			await gateway.close();
			await between();
			await start();
		},
		fileOf: (key: string, end = ".jsonl") => join(folder.path, "sessions", `${key}${end}`),
		list: (params: object = {}) =>
			peer.call<{ sessions: Meta[]; cursor: string | null }>("sessions.list", params),
		history: (sessionKey: string) =>
			peer.call<{ messages: { role: string; content: string }[] }>("chat.history", { sessionKey }),
	};
}
