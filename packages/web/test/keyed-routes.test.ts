import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { chunksOf, type Json, postTo, said } from "./support/chat-requests";
import { startWeb, type WebServer } from "./support/web-server";

/* Real browsers and servers: slow on a machine that is busy. */
vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 });

describe("the web app where keys are set", () => {
	let keyed: WebServer;
	beforeAll(async () => {
		keyed = await startWeb({
			BATON_API_KEYS: "ada:ada-key-0123456789abcdef",
			BATON_NEWCOMERS_PER_MINUTE: "20",
			BATON_AGENT: "gemini",
		});
	});
	afterAll(() => keyed?.stop());

	it("keeps its visitors apart by their cookies", async () => {
		const body = { id: "mine", messages: [said("my secret plan")] };
		const first = await postTo(keyed.url, "/api/chat", body);
		const cookie = first.headers.get("set-cookie")?.split(";")[0] ?? "";
		await first.text();
		const chatsOf = async (headers: Record<string, string>) =>
			(await (await fetch(`${keyed.url}/api/chats`, { headers })).json()).chats;
		const historyOf = async (headers: Record<string, string>) =>
			(await (await fetch(`${keyed.url}/api/chat/mine`, { headers })).json()).messages;
		expect(await chatsOf({ cookie })).toMatchObject([{ id: "mine", title: "my secret plan" }]);
		expect(await historyOf({ cookie })).toHaveLength(2);
		expect(await chatsOf({})).toEqual([]);
		expect(await historyOf({})).toEqual([]);
		const forged = cookie.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
		expect(await chatsOf({ cookie: forged })).toEqual([]);
		const stop = await postTo(keyed.url, "/api/chat/mine/stop", {});
		expect(stop.status).toBe(404);
		const console_ = (path: string, headers: Record<string, string>) =>
			fetch(`${keyed.url}/api/sessions${path}`, { headers });
		const sessionsOf = async (headers: Record<string, string>) =>
			(await (await console_("", headers)).json()).sessions;
		const [{ id }] = await sessionsOf({ cookie });
		expect(await sessionsOf({})).toEqual([]);
		for (const path of [`/${id}`, `/${id}/events`, `/${id}/events?follow=true`, `/${id}/export`]) {
			expect((await console_(path, {})).status).toBe(404);
			expect((await console_(path, { cookie: forged })).status).toBe(404);
		}
		expect((await console_(`/${id}`, { cookie })).status).toBe(200);
		expect((await postTo(keyed.url, `/api/sessions/${id}/abort`, {})).status).toBe(404);
	});

	it("says while it streams what it says after a reload: who stood in for the agent", async () => {
		const body = { id: "notice", messages: [said("count to 3", "m1")] };
		const response = await postTo(keyed.url, "/api/chat", body);
		const cookie = response.headers.get("set-cookie")?.split(";")[0] ?? "";
		const streamed = (await chunksOf(response)).map((chunk) => chunk.messageMetadata as Json);
		const notice = expect.stringContaining("in place of gemini");
		expect(streamed).toContainEqual(expect.objectContaining({ notice }));
		const history = await fetch(`${keyed.url}/api/chat/notice`, { headers: { cookie } });
		expect((await history.json()).messages[1].metadata).toMatchObject({ notice });
	});

	it("limits who has no cookie by address, and believes no header about it", async () => {
		const chats = (headers: Record<string, string>) => fetch(`${keyed.url}/api/chats`, { headers });
		const cookie = (await chats({})).headers.get("set-cookie")?.split(";")[0] ?? "";
		const statuses = await Promise.all(
			Array.from({ length: 20 }, async (_, n) => {
				const made = `203.0.113.${n}`;
				const { status } = await chats({ "x-forwarded-for": made, "baton-peer": made });
				return status;
			}),
		);
		expect(statuses).toContain(429);
		const refused = await chats({});
		expect(refused.status).toBe(429);
		expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
		expect(await refused.json()).toMatchObject({ ok: false, errorCode: "RATE_LIMITED" });
		expect((await chats({ cookie })).status).toBe(200);
	});
});
