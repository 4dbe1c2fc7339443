import { type JsonObject, openStore, type Store } from "@baton/session";
import { type TempDir, tempDir } from "@baton/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { closeLiveConnections, giselle } from "../src";
import { said, toolResult, user } from "../src/__tests__/prompts";
import { ask, done, init, say } from "../src/__tests__/steps";
import { callsOf, turn } from "../src/__tests__/turns";
import { Sessions } from "../src/sessions";
import { createStoreSessions } from "../src/store-sessions";
import { type FakeAgentApi, startFakeAgentApi } from "../src/testing";

describe("sessions on Baton's files store, handed in as `sessions`", () => {
	let folder: TempDir;
	let store: Store;
	let api: FakeAgentApi;
	const open = async () => {
		store = await openStore({ driver: "files", dir: folder.path });
		return createStoreSessions(store.collection<JsonObject>("provider"));
	};
	beforeEach(async () => {
		folder = await tempDir("provider-store");
		api = await startFakeAgentApi({
			script: (run) => [init(run), ...say("Let me see. "), ask("r1"), ...say("Done."), done],
		});
	});
	afterEach(async () => {
		await closeLiveConnections();
		await store.close();
		await api.close();
		await folder.remove();
	});

	it("survive the end of the process: a paused turn goes on after the next start", async () => {
		const before = giselle({ cloudApiUrl: api.url, sessions: await open() });
		const first = await turn(before, [user("go")], { chatId: "any chat/1" });
		expect(callsOf(first)).toEqual(["r1"]);
		await closeLiveConnections();
		await store.close();
		const after = giselle({ cloudApiUrl: api.url, sessions: await open() });
		const prompt = [user("go"), said(first.text), ...toolResult("r1")];
		const second = await turn(after, prompt, { chatId: "any chat/1" });
		expect(second.text).toBe("Done.");
		expect(second.finish.providerMetadata?.giselle?.resume).toBe("cold");
	});

	it("give a request to one of many", async () => {
		const port = await open();
		const sessions = new Sessions(async () => port);
		await sessions.create({ providerSessionId: "p1", createdAt: 1, pendingRequestId: "r1" });
		const claims = await Promise.all(Array.from({ length: 8 }, () => sessions.claim("p1")));
		expect(claims.filter((claim) => claim?.won)).toHaveLength(1);
	});
});
