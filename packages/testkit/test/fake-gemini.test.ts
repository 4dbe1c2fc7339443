import { afterEach, describe, expect, it } from "vitest";
import { type FakeGemini, startFakeGemini, waitFor } from "../src";

describe("startFakeGemini", () => {
	let server: FakeGemini;
	afterEach(() => server.stop());

	const ask = (signal?: AbortSignal) => {
		const path = "/v1beta/models/some-model:streamGenerateContent?alt=sse";
		const contents = [
			{ role: "user", parts: [{ text: "one " }, { text: "two" }] },
			{ role: "user", parts: [{ functionResponse: { name: "t", response: { ok: 1 } } }] },
		];
		const body = JSON.stringify({ contents, tools: [{ functionDeclarations: [{ name: "t" }] }] });
		return fetch(`${server.url}${path}`, { method: "POST", body, signal });
	};
	const parts = (text: string) =>
		text
			.trim()
			.split("\n\n")
			.flatMap((event) => JSON.parse(event.slice("data: ".length)).candidates[0].content.parts);

	it("answers by the script and records the requests", async () => {
		server = await startFakeGemini([
			[{ text: "Hi" }, { wait: 1 }, { call: { name: "t", args: { a: 1 } } }],
			[{ status: 429, message: "slow down" }],
		]);
		const first = await ask();
		expect(parts(await first.text())).toEqual([
			...[{ text: "Hi" }, { functionCall: { name: "t", args: { a: 1 } } }, { text: "" }],
		]);
		const second = await ask();
		expect(second.status).toBe(429);
		expect((await ask()).status).toBe(500);
		expect(server.requests[0]).toEqual({
			model: "some-model",
			messages: [
				{ role: "user", text: "one two" },
				{ role: "user", text: "" },
			],
			toolResults: [{ name: "t", response: { ok: 1 } }],
			tools: ["t"],
			aborted: false,
		});
	});

	it("can break off, and notices a client that leaves", async () => {
		server = await startFakeGemini((_request, index) =>
			index === 0
				? [{ text: "Hi" }, { wait: 20 }, { cut: true }]
				: [{ text: "Hi" }, { wait: new Promise(() => {}) }],
		);
		await expect(ask().then((response) => response.text())).rejects.toThrow();
		const controller = new AbortController();
		const response = await ask(controller.signal);
		controller.abort();
		await expect(response.text()).rejects.toThrow();
		await waitFor(() => server.requests[1]!.aborted);
	});
});
