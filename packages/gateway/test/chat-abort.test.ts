import type { Agent } from "@baton/agent";
import { BatonError } from "@baton/session";
import { afterEach, describe, expect, it, vi } from "vitest";
import { say, scripted, textOf } from "./support/agents";
import { BOB, type GatewayFixture, openGateway, TOKEN } from "./support/gateway-fixture";
import { isEnd } from "./support/peer";

let gateway: GatewayFixture;
afterEach(() => gateway.close());

describe("chat.abort", () => {
	it("answers when the wish is stored; one that was not can be asked for again", async () => {
		gateway = await openGateway();
		const peer = await gateway.open();
		const sessionKey = await peer.createSession();
		const { runId } = await peer.call<{ runId: string }>("chat.send", {
			sessionKey,
			message: "/wait 60s",
		});
		await peer.frame(({ event }) => event === "chat.started");
		const away = new BatonError("unavailable", "The store is away.");
		vi.spyOn(gateway.turns, "abort").mockRejectedValueOnce(away);
		const refused = await peer.ask("chat.abort", { runId });
		expect(refused.error).toMatchObject({ code: 503, data: { retryable: true } });
		expect(await peer.call("chat.abort", { runId })).toEqual({ aborted: true });
		const { entries } = await gateway.store.collection("sessions").tail(sessionKey, "events", 50);
		expect(entries.map(({ json }) => json).join()).toContain("abort_requested");
		expect(await peer.end(runId)).toMatchObject({ data: { aborted: true } });
	});

	it("reaches the agent, stores what was said, and ends the turn once", async () => {
		let stopped = false;
		const run: Agent["run"] = async function* ({ signal }) {
			yield say("Half");
			await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
			stopped = true;
			return undefined;
		};
		gateway = await openGateway({ agent: scripted(run) });
		const peer = await gateway.open();
		const sessionKey = await peer.createSession();
		const { runId } = await peer.call("chat.send", { sessionKey, message: "Go" });
		await peer.frame(({ event }) => event === "chat.delta");
		expect(await peer.call("chat.abort", { runId })).toEqual({ aborted: true });
		const end = await peer.end(String(runId));
		expect(end).toMatchObject({ event: "chat.error", data: { runId, aborted: true } });
		expect(stopped).toBe(true);
		const { messages } = await peer.call("chat.history", { sessionKey });
		expect(messages).toMatchObject([
			{ role: "user" },
			{ role: "assistant", content: "Half", status: "aborted" },
		]);
		expect(await peer.call("chat.abort", { runId })).toEqual({ aborted: false });
		expect(peer.frames.filter(({ event }) => isEnd(event))).toHaveLength(1);
	});

	it("is told as chat.aborted to those who asked for it, and to them alone", async () => {
		gateway = await openGateway();
		const asked = await gateway.open(TOKEN, { events: ["chat.aborted"] });
		const plain = await gateway.open();
		const sessionKey = await asked.createSession();
		for (const peer of [asked, plain]) await peer.call("chat.subscribe", { sessionKey, after: 0 });
		const message = "/stream 500 words every 10ms";
		const { runId } = await asked.call<{ runId: string }>("chat.send", { sessionKey, message });
		await plain.frame(({ event }) => event === "chat.delta");
		await plain.call("chat.abort", { runId, sessionKey });
		expect((await asked.end(runId)).event).toBe("chat.aborted");
		expect((await plain.end(runId)).event).toBe("chat.error");
		for (const peer of [asked, plain]) {
			expect(peer.frames.filter(({ event }) => isEnd(event))).toHaveLength(1);
		}
	});

	it("drops a message that waits, and leaves the one that runs", async () => {
		gateway = await openGateway();
		const peer = await gateway.open();
		const sessionKey = await peer.createSession();
		const message = "/stream 40 words every 5ms";
		const { runId } = await peer.call<{ runId: string }>("chat.send", { sessionKey, message });
		const waiting = await peer.call<{ runId: string }>("chat.send", { sessionKey, message: "Hi" });
		await peer.call("chat.abort", { runId: waiting.runId });
		expect(await peer.end(waiting.runId)).toMatchObject({ data: { dropped: true } });
		expect(await peer.end(runId)).toMatchObject({ event: "chat.final" });
		expect(peer.said(runId)).toBe(textOf(message));
	});

	it("of someone else's run does nothing", async () => {
		gateway = await openGateway();
		const [mine, bobs] = [await gateway.open(), await gateway.open(BOB)];
		const sessionKey = await mine.createSession();
		const message = "/stream 40 words every 5ms";
		const { runId } = await mine.call<{ runId: string }>("chat.send", { sessionKey, message });
		expect(await bobs.call("chat.abort", { runId })).toEqual({ aborted: false });
		expect((await bobs.ask("chat.abort", { runId, sessionKey })).error?.code).toBe(404);
		expect((await mine.end(runId)).event).toBe("chat.final");
	});
});
