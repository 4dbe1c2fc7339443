import { randomUUID } from "node:crypto";
import type { Agent } from "@baton/agent";
import { afterEach, describe, expect, it } from "vitest";
import { say, scripted, textOf } from "./support/agents";
import { type GatewayFixture, openGateway } from "./support/gateway-fixture";

let gateway: GatewayFixture;
afterEach(() => gateway.close());

describe("what an agent does", () => {
	it("tools, whole messages, requests and unknown events have their frames", async () => {
		const run: Agent["run"] = async function* () {
			yield say("First.", false);
			yield { type: "tool_use", tool_id: "t1", tool_name: "look", parameters: { at: "it" } };
			yield { type: "tool_result", tool_id: "t1", status: "success", output: "seen" };
			yield say("Second.", false);
			yield { type: "progress", message: "Thinking" };
			yield { type: "of_tomorrow", anything: [1] };
			return { notice: "By the way." };
		};
		gateway = await openGateway({ agent: scripted(run) });
		const peer = await gateway.open();
		const sessionKey = await peer.createSession();
		const { runId, end } = await peer.chat(sessionKey, "Go");
		expect(peer.said(runId)).toBe("First.\n\nSecond.");
		expect(peer.events("chat.tool")).toMatchObject([
			{ data: { phase: "start", toolId: "t1", toolName: "look", parameters: { at: "it" } } },
			{ data: { phase: "end", toolId: "t1", status: "success", output: "seen" } },
		]);
		const others = peer.events("chat.event").map(({ data }) => data?.event);
		expect(others).toMatchObject([
			{ type: "progress", message: "Thinking" },
			{ type: "of_tomorrow", anything: [1] },
		]);
		expect(end.data).toMatchObject({ servedBy: "scripted", notice: "By the way." });
		const { messages } = await peer.call<{ messages: { content: string }[] }>("chat.history", {
			sessionKey,
		});
		expect(messages[1]?.content).toBe("First.\n\nSecond.");
	});

	it("text that an agent takes back is retracted", async () => {
		const run: Agent["run"] = async function* () {
			yield say("Wrong.");
			yield { type: "retract", reason: "mistaken" };
			yield say("Right.");
			return undefined;
		};
		gateway = await openGateway({ agent: scripted(run) });
		const peer = await gateway.open();
		const sessionKey = await peer.createSession();
		const { runId } = await peer.chat(sessionKey, "Go");
		expect(peer.events("chat.retract")).toMatchObject([{ data: { reason: "mistaken" } }]);
		expect(peer.said(runId)).toBe("Right.");
	});
});

describe("chat.history and chat.wait", () => {
	it("history has the running turn's text so far, and subscribing after it misses nothing", async () => {
		gateway = await openGateway();
		const peer = await gateway.open();
		const sessionKey = await peer.createSession();
		await peer.chat(sessionKey, "Hello");
		const message = "/stream 300 words every 2ms";
		const { runId } = await peer.call<{ runId: string }>("chat.send", { sessionKey, message });
		const queued = await peer.call<{ runId: string }>("chat.send", { sessionKey, message: "Hi" });
		await peer.frame(({ data }) => data?.text === "w50 ");
		const reader = await gateway.open();
		const history = await reader.call<{
			partial: { runId: string; text: string };
			queued: string[];
			seq: number;
			messages: object[];
		}>("chat.history", { sessionKey });
		expect(history.partial.runId).toBe(runId);
		expect(history.queued).toEqual([queued.runId]);
		expect(textOf(message).startsWith(history.partial.text)).toBe(true);
		expect(history.partial.text).toContain("w50");
		await reader.call("chat.subscribe", { sessionKey, after: history.seq });
		await reader.end(runId);
		expect(history.partial.text + reader.said(runId)).toBe(textOf(message));
	});

	it("history pages backwards through a long conversation", async () => {
		gateway = await openGateway();
		const peer = await gateway.open();
		const sessionKey = await peer.createSession();
		for (let i = 1; i <= 6; i++) await peer.chat(sessionKey, `/stream ${i} words`);
		type Page = { messages: { content: string }[]; first: number; hasMore: boolean };
		const contents: string[] = [];
		let before: number | undefined;
		let pages = 0;
		for (;;) {
			const page = await peer.call<Page>("chat.history", { sessionKey, limit: 5, before });
			contents.unshift(...page.messages.map(({ content }) => content));
			before = page.first;
			pages++;
			if (!page.hasMore) break;
		}
		expect(pages).toBe(3);
		expect(contents.filter((content) => content.startsWith("/stream"))).toHaveLength(6);
		expect(contents).toHaveLength(12);
	});

	it("wait answers when the turn has ended, how it ended, and while it runs at the timeout", async () => {
		gateway = await openGateway();
		const peer = await gateway.open();
		const sessionKey = await peer.createSession();
		const message = "/stream 40 words every 5ms";
		const { runId } = await peer.call<{ runId: string }>("chat.send", { sessionKey, message });
		const wait = (more: object = {}) => peer.call("chat.wait", { sessionKey, runId, ...more });
		expect(await wait({ timeoutMs: 0 })).toEqual({ runId, status: "running" });
		expect(await wait({ timeoutMs: 20 })).toEqual({ runId, status: "running" });
		const waiting = wait();
		// Others go past it.
		await peer.call("health.check");
		expect(await waiting).toEqual({ runId, status: "success" });
		expect(await wait()).toEqual({ runId, status: "success" });
		const failing = await peer.chat(sessionKey, "/fail on purpose");
		const failed = await peer.call("chat.wait", { sessionKey, runId: failing.runId });
		expect(failed).toMatchObject({ status: "error", error: "on purpose" });
		const unknown = await peer.ask("chat.wait", { sessionKey, runId: randomUUID() });
		expect(unknown.error?.code).toBe(404);
	});
});
