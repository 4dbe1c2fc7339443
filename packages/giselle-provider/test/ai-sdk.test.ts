import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { closeLiveConnections, giselle } from "../src";
import { createMemorySessions } from "../src/memory-sessions";
import { type FakeAgentApi, type FakeRun, startFakeAgentApi } from "../src/testing";
import { sdks } from "./support/sdks";

const delta = (content: string) => ({ type: "message", role: "assistant", content, delta: true });
const stats = { input_tokens: 7, output_tokens: 3, cached: 2, input: 5 };

function* hello(run: FakeRun) {
	yield { type: "init", session_id: run.sessionId, model: "fake-1" };
	yield delta("Hello ");
	yield delta("world");
	yield { type: "result", status: "success", stats };
}

function* form(run: FakeRun) {
	yield { type: "init", session_id: run.sessionId, model: "fake-1" };
	yield delta("Looking. ");
	yield { type: "tool_use", tool_id: "t1", tool_name: "ls", parameters: {} };
	yield { type: "tool_result", tool_id: "t1", status: "success", output: "a.txt" };
	yield { type: "snapshot_request", requestId: "r1", instruction: "Read the form" };
	yield delta("Done.");
	yield { type: "result", status: "success", stats };
}

describe.each(sdks)("%s", (_name, ai) => {
	let api: FakeAgentApi | undefined;
	const open = async (script: (run: FakeRun) => Iterable<never>, more: object = {}) => {
		await api?.close();
		api = await startFakeAgentApi({ script });
		return giselle({ cloudApiUrl: api.url, sessions: createMemorySessions(), ...more });
	};
	const openHello = () => open(hello as never);
	const openForm = (more?: object) => open(form as never, more);
	const tools = () => ({
		getFormSnapshot: ai.tool({
			description: "Reads the form",
			inputSchema: z.object({ instruction: z.string(), document: z.string().optional() }),
		}),
	});
	afterEach(async () => {
		await closeLiveConnections();
		await api?.close();
	});

	it("streamText streams the text, and tells model, tokens and session", async () => {
		const result = ai.streamText({ model: await openHello(), prompt: "hi" });
		let text = "";
		for await (const piece of result.textStream) text += piece;
		expect(text).toBe("Hello world");
		expect(await result.finishReason).toBe("stop");
		expect(await result.usage).toMatchObject({ inputTokens: 7, outputTokens: 3 });
		const response = await result.response;
		expect(response.modelId).toBe("fake-1");
		expect(response.id).toBe(response.headers?.["x-giselle-session-id"]);
		expect((await result.providerMetadata)?.giselle).toMatchObject({ resume: "new" });
	});

	it("generateText gives the whole", async () => {
		const result = await ai.generateText({ model: await openHello(), prompt: "hi" });
		expect(result.text).toBe("Hello world");
		expect(result.usage).toMatchObject({ inputTokens: 7, outputTokens: 3 });
	});

	it("streamText pauses for the page's tool, and goes on with its result", async () => {
		const model = await openForm();
		const providerOptions = { giselle: { chatId: "c" } };
		const messages = [{ role: "user" as const, content: "fill" }];
		const first = ai.streamText({ model, tools: tools(), messages, providerOptions });
		await first.consumeStream();
		expect(await first.text).toBe("Looking. ");
		expect(await first.finishReason).toBe("tool-calls");
		const [call] = await first.toolCalls;
		expect(call).toMatchObject({ toolCallId: "r1", input: { instruction: "Read the form" } });
		const answer = {
			type: "tool-result" as const,
			toolCallId: "r1",
			toolName: "getFormSnapshot",
			output: { type: "json" as const, value: { fields: [] } },
		};
		const history = [
			...messages,
			...(await first.response).messages,
			{ role: "tool" as const, content: [answer] },
		];
		const second = ai.streamText({ model, tools: tools(), messages: history, providerOptions });
		expect(await second.text).toBe("Done.");
		expect((await second.providerMetadata)?.giselle).toMatchObject({ resume: "hot" });
		expect(api?.answers).toMatchObject([{ type: "snapshot_response", requestId: "r1" }]);
	});

	it("a tool with execute runs on the server, in steps, until stopWhen says", async () => {
		const model = await openForm();
		const withExecute = {
			getFormSnapshot: ai.tool({
				inputSchema: z.object({ instruction: z.string() }),
				execute: async () => ({ fields: [] }),
			}),
		};
		const call = { model, tools: withExecute, prompt: "fill" };
		const providerOptions = { giselle: { chatId: "c" } };
		const all = await ai.generateText({ ...call, providerOptions, stopWhen: ai.stepCountIs(5) });
		expect(all.steps.map(({ finishReason }) => finishReason)).toEqual(["tool-calls", "stop"]);
		expect(all.text).toBe("Done.");
		const one = await ai.generateText({
			...call,
			providerOptions: { giselle: { chatId: "other" } },
			stopWhen: ai.stepCountIs(1),
		});
		expect(one.steps).toHaveLength(1);
	});

	it("shows the agent's own tools as dynamic ones that it ran itself", async () => {
		const model = await openForm({ showAgentTools: true });
		const result = ai.streamText({ model, tools: tools(), prompt: "fill" });
		const parts: { type: string; dynamic?: boolean; toolName?: string }[] = [];
		for await (const part of result.fullStream) parts.push(part as never);
		const shown = parts.filter(({ toolName }) => toolName === "ls");
		expect(shown.map(({ type }) => type)).toEqual(["tool-call", "tool-result"]);
		expect(shown.every(({ dynamic }) => dynamic)).toBe(true);
	});

	it("an agent's failure is an error, and no empty success", async () => {
		const model = await open(function* (run: FakeRun) {
			yield { type: "init", session_id: run.sessionId };
			yield { type: "result", status: "error", error: { message: "out of luck" } };
		} as never);
		await expect(ai.generateText({ model, prompt: "hi" })).rejects.toThrow("out of luck");
		const errors: unknown[] = [];
		const onError = ({ error }: { error: unknown }) => void errors.push(error);
		const result = ai.streamText({ model, prompt: "hi", onError });
		await result.consumeStream();
		expect(String(errors[0])).toContain("out of luck");
		expect(await result.finishReason).toBe("error");
	});

	it("an abort ends the turn at the server", async () => {
		const model = await open(async function* (run: FakeRun) {
			yield { type: "init", session_id: run.sessionId };
			for (;;) {
				yield delta("x");
				yield { wait: 5 };
			}
		} as never);
		const abort = new AbortController();
		const result = ai.streamText({ model, prompt: "hi", abortSignal: abort.signal });
		try {
			for await (const _ of result.textStream) abort.abort();
		} catch {
			// One major ends the stream, the other rejects.
		}
		await expect.poll(() => [...(api?.sessions.values() ?? [])][0]?.isRunning()).toBe(false);
	});

	it("middleware wraps it", async () => {
		const seen: string[] = [];
		const model = ai.wrapLanguageModel({
			model: await openHello(),
			middleware: {
				specificationVersion: "v3",
				wrapStream: async ({ doStream }) => {
					seen.push("stream");
					return doStream();
				},
				transformParams: async ({ params }) => {
					seen.push("params");
					return params;
				},
			},
		});
		expect(await ai.streamText({ model, prompt: "hi" }).text).toBe("Hello world");
		expect(seen).toEqual(["params", "stream"]);
		const simulated = ai.wrapLanguageModel({
			model: await openHello(),
			middleware: ai.simulateStreamingMiddleware(),
		});
		expect(await ai.streamText({ model: simulated, prompt: "hi" }).text).toBe("Hello world");
	});

	it("a provider registry knows it by name", async () => {
		const model = await openHello();
		const custom = ai.customProvider({ languageModels: { agent: model } });
		const registry = ai.createProviderRegistry({ giselle: custom });
		const found = registry.languageModel("giselle:agent");
		expect((await ai.generateText({ model: found, prompt: "hi" })).text).toBe("Hello world");
	});

	it("telemetry sees the model, the session and the tokens", async () => {
		const spans: { name: string; attributes: Record<string, unknown> }[] = [];
		const result = ai.streamText({
			model: await openHello(),
			prompt: "hi",
			...telemetry(spans),
		});
		await result.consumeStream();
		await expect.poll(() => JSON.stringify(spans)).toContain("giselle-agent");
		expect(JSON.stringify(spans)).not.toContain('token":"');
	});
});

/** Each major's own way to listen: a tracer in one, an integration in the other. */
function telemetry(spans: { name: string; attributes: Record<string, unknown> }[]) {
	const record = (name: string, attributes: object = {}) => {
		spans.push({ name, attributes: { ...attributes } });
	};
	const span = (name: string, attributes: object) => ({
		spanContext: () => ({ traceId: "t", spanId: "s", traceFlags: 1 }),
		setAttribute: (key: string, value: unknown) => record(name, { [key]: value }),
		setAttributes: (more: object) => record(name, more),
		addEvent: () => {},
		addLink: () => {},
		addLinks: () => {},
		setStatus: () => {},
		updateName: () => {},
		isRecording: () => true,
		recordException: () => {},
		end: () => record(name, attributes),
	});
	const startActiveSpan = (name: string, ...rest: unknown[]) => {
		const work = rest.at(-1) as (span: unknown) => unknown;
		const { attributes = {} } = (rest[0] ?? {}) as { attributes?: object };
		return work(span(name, attributes));
	};
	const tracer = { startActiveSpan, startSpan: (name: string) => span(name, {}) };
	const integration = new Proxy(
		{},
		{
			get: (_target, name) =>
				typeof name === "string" && name.startsWith("on")
					? (event: object) => void record(name, JSON.parse(safeJson(event)))
					: undefined,
		},
	);
	return {
		experimental_telemetry: { isEnabled: true, tracer, integrations: [integration] },
		telemetry: { isEnabled: true, integrations: [integration] },
	} as never as object;
}

function safeJson(value: unknown): string {
	const seen = new Set<unknown>();
	return JSON.stringify(value, (_key, each) => {
		if (typeof each !== "object" || each === null)
			return typeof each === "bigint" ? `${each}` : each;
		if (seen.has(each)) return undefined;
		seen.add(each);
		return each;
	});
}
