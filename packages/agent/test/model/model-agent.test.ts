import { setTimeout as sleep } from "node:timers/promises";
import { waitFor } from "@baton/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { createModelAgent, type ModelAgentOptions } from "../../src/model";
import { runTurn, turnStub } from "../turn-stub";
import {
	type FakeProvider,
	sendAnthropic,
	sendDeltas,
	sendError,
	sendFinish,
	startFakeProvider,
} from "./fake-provider";

const KEY = "sk-test-that-no-one-may-see";
const text = (content: string) => ({ role: "assistant", content });

const started: FakeProvider[] = [];
afterEach(async () => {
	for (const provider of started.splice(0)) await provider.stop();
});

/** An agent on a server that speaks OpenAI's chat completions. */
async function start(
	answer: Parameters<typeof startFakeProvider>[0],
	options: ModelAgentOptions = {},
) {
	const provider = await startFakeProvider(answer);
	started.push(provider);
	const agent = createModelAgent("openai-compatible/some/model", {
		keys: { "openai-compatible": KEY },
		baseUrls: { "openai-compatible": `${provider.url}/v1` },
		maxRetries: 0,
		...options,
	});
	return { agent, provider };
}

describe("a model as an agent", () => {
	it("streams its text, with the conversation before it and the usage after", async () => {
		const { agent, provider } = await start(
			(_call, response) => {
				sendDeltas(response, [text("Your name "), text("is Alice.")]);
				sendFinish(response);
			},
			{ system: "Be brief." },
		);
		const turn = turnStub("What is my name?", {
			document: "a paper",
			history: [
				{ role: "user", content: "My name is Alice." },
				{ role: "assistant", content: "" },
				{ role: "assistant", content: "Hello Alice." },
			],
		});

		const outcome = await runTurn(agent, turn);

		expect(outcome.error).toBeUndefined();
		expect(outcome.events.map((event) => event.content)).toEqual(["Your name ", "is Alice."]);
		expect(outcome.result?.stats).toMatchObject({
			...{ input_tokens: 12, output_tokens: 7, total_tokens: 19, cached: 4, tool_calls: 0 },
		});
		const [call] = provider.calls;
		expect(call!.headers.authorization).toBe(`Bearer ${KEY}`);
		expect(call!.body.model).toBe("some/model");
		expect(call!.body.messages).toEqual([
			{ role: "system", content: "Be brief." },
			{ role: "user", content: "My name is Alice." },
			{ role: "assistant", content: "Hello Alice." },
			{ role: "user", content: "What is my name?\n\n<document>\na paper\n</document>" },
		]);
	});

	const startAnthropic = async (whole: boolean) => {
		const provider = await startFakeProvider((_call, response) => {
			sendAnthropic(response, ["Hello ", "there."], whole);
		});
		started.push(provider);
		const agent = createModelAgent("anthropic/claude-test", {
			keys: { anthropic: KEY },
			baseUrls: { anthropic: `${provider.url}/v1` },
		});
		return { agent, provider };
	};

	it("fails when a provider ends without saying that it is done", async () => {
		const { agent } = await startAnthropic(false);
		const { error, text: said } = await runTurn(agent, turnStub("hi"));
		expect(said).toBe("Hello there.");
		expect(error).toMatchObject({ type: "cut_off", retryable: true });
	});

	it("speaks to Anthropic's API as well", async () => {
		const { agent, provider } = await startAnthropic(true);

		const outcome = await runTurn(agent, turnStub("hi"));

		expect(outcome.error).toBeUndefined();
		expect(outcome.text).toBe("Hello there.");
		expect(outcome.result?.stats).toMatchObject({ input_tokens: 12, output_tokens: 7 });
		expect(provider.calls[0]!.headers["x-api-key"]).toBe(KEY);
	});

	it.each([
		[401, "unauthorized", false],
		[429, "rate_limited", true],
		[400, "refused", false],
		[503, "provider", true],
	])("fails with the reason on %s", async (status, type, retryable) => {
		const { agent } = await start((_call, response) => {
			sendError(response, status, `No, not with ${KEY}`);
		});
		const { error, text: said } = await runTurn(agent, turnStub("hi"));
		expect(error).toMatchObject({ name: "AgentFailure", type, retryable });
		expect((error as Error).message).toContain("No, not with [removed]");
		expect(said).toBe("");
	});

	it("tries again when the provider is busy", async () => {
		const { agent, provider } = await start(
			(_call, response, index) => {
				if (index === 0) return sendError(response, 503, "busy");
				sendDeltas(response, [text("Here.")]);
				sendFinish(response);
			},
			{ maxRetries: 1 },
		);
		const { text: said } = await runTurn(agent, turnStub("hi"));
		expect(said).toBe("Here.");
		expect(provider.calls).toHaveLength(2);
	});

	it("fails when nobody listens there", async () => {
		const { agent, provider } = await start(() => {});
		await provider.stop();
		started.pop();
		const { error } = await runTurn(agent, turnStub("hi"));
		expect(error).toMatchObject({ type: "network", retryable: true });
	});

	it.each([
		["ends too early", "network", (response: { end(): void }) => response.end()],
		["is cut", "network", (response: { destroy(): void }) => response.destroy()],
	])("fails when the stream %s, and keeps what was said", async (_title, type, breakOff) => {
		const { agent } = await start(async (_call, response) => {
			sendDeltas(response, [text("The first ")]);
			await sleep(50);
			breakOff(response as never);
		});
		const { error, text: said } = await runTurn(agent, turnStub("hi"));
		expect(said).toBe("The first ");
		expect(error).toMatchObject({ name: "AgentFailure", type, retryable: true });
	});

	it("is never an empty success", async () => {
		const { agent } = await start((_call, response) => {
			sendDeltas(response, []);
			sendFinish(response);
		});
		const { error } = await runTurn(agent, turnStub("hi"));
		expect(error).toMatchObject({ type: "no_answer" });
	});

	it("says that an answer was cut by the model's limit", async () => {
		const { agent } = await start((_call, response) => {
			sendDeltas(response, [text("Very lo")]);
			sendFinish(response, "length");
		});
		const { result } = await runTurn(agent, turnStub("hi"));
		expect(result?.notice).toContain("limit");
	});

	it("closes the connection when it is aborted", async () => {
		const { agent, provider } = await start((_call, response) => {
			sendDeltas(response, [text("Once upon ")]);
		});
		const controller = new AbortController();
		const turn = turnStub("hi", { signal: controller.signal });

		const outcome = await runTurn(agent, turn, () => controller.abort());

		expect(outcome.error).toBeUndefined();
		expect(outcome.text).toBe("Once upon ");
		await waitFor(() => provider.calls[0]!.aborted, { what: "the closed connection" });
	});
});

describe("a model's tools in the page", () => {
	const call = (id: string, name: string, input: unknown) => ({
		role: "assistant",
		tool_calls: [
			{ index: 0, id, type: "function", function: { name, arguments: JSON.stringify(input) } },
		],
	});
	const fields = [{ fieldId: "f1", kind: "text", label: "Name" }];
	const actions = [{ action: "fill", fieldId: "f1", value: "Ada" }];
	const report = { applied: 1, skipped: 0, warnings: [] };
	const script: Parameters<typeof startFakeProvider>[0] = (_call, response, index) => {
		if (index === 0)
			sendDeltas(response, [
				text("I look. "),
				call("t1", "getFormSnapshot", { instruction: "all" }),
			]);
		else if (index === 1) sendDeltas(response, [call("t2", "executeFormActions", { actions })]);
		else sendDeltas(response, [text("Done.")]);
		sendFinish(response, index < 2 ? "tool_calls" : "stop");
	};

	it("ask the page, and tell the model what it said", async () => {
		const { agent, provider } = await start(script);
		const order: string[] = [];
		const turn = turnStub("I am Ada", {
			answer: (request) => {
				order.push(request.type);
				return request.type === "snapshot_request"
					? { type: "snapshot_response", fields }
					: { type: "execute_response", report };
			},
		});

		const outcome = await runTurn(agent, turn, async (event) => {
			// A slow reader: the model's stream is far ahead of it.
			await sleep(30);
			order.push(event.type);
		});

		expect(outcome.error).toBeUndefined();
		expect(outcome.text).toBe("I look. Done.");
		expect(turn.requests).toEqual([
			{ type: "snapshot_request", instruction: "all", document: undefined },
			{ type: "execute_request", actions, fields },
		]);
		// What is asked comes after the words about it.
		expect(order).toEqual([
			...["message", "tool_use", "snapshot_request", "tool_result"],
			...["tool_use", "execute_request", "tool_result", "message"],
		]);
		expect(JSON.stringify(provider.calls[2]!.body.messages)).toContain("applied");
		expect(outcome.result?.stats).toMatchObject({ tool_calls: 2, output_tokens: 21 });
	});

	it("tell the model when the person says no", async () => {
		const { agent, provider } = await start(script);
		const turn = turnStub("I am Ada", {
			answer: () => ({ type: "error_response", message: "The person said no." }),
		});
		const { others, error } = await runTurn(agent, turn);
		expect(error).toBeUndefined();
		expect(others[1]).toMatchObject({
			...{ type: "tool_result", status: "error", error: { message: "The person said no." } },
		});
		expect(JSON.stringify(provider.calls[1]!.body.messages)).toContain("The person said no.");
	});

	it("can be left out", async () => {
		const { agent, provider } = await start(
			(_call, response) => {
				sendDeltas(response, [text("Hi.")]);
				sendFinish(response);
			},
			{ browserTools: false },
		);
		await runTurn(agent, turnStub("hi"));
		expect(provider.calls[0]!.body).not.toHaveProperty("tools");
	});
});

describe("a model that cannot be had", () => {
	it.each([
		["anthropic/claude-test", "missing_key", "ANTHROPIC_API_KEY"],
		["openai/gpt-test", "missing_key", "OPENAI_API_KEY"],
		["google/gemini-test", "missing_key", "GOOGLE_GENERATIVE_AI_API_KEY"],
		["openai-compatible/m", "missing_base_url", "OPENAI_COMPATIBLE_BASE_URL"],
	])("%s without a setting names the variable", async (reference, type, variable) => {
		const { error } = await runTurn(createModelAgent(reference), turnStub("hi"));
		expect(error).toMatchObject({ name: "AgentFailure", type });
		expect((error as Error).message).toContain(variable);
	});

	it.each(["gpt-4", "nobody/model", "openai/", "/x"])("%s is refused at once", (reference) => {
		expect(() => createModelAgent(reference)).toThrow("write provider/model");
	});
});
