import { APICallError } from "@ai-sdk/provider";
import { afterEach, describe, expect, it, vi } from "vitest";
import { connectCloudApi } from "../connect-cloud-api";
import { createMemorySessions } from "../memory-sessions";
import type { CloudApiConnection, GiselleProviderDeps } from "../types";
import { toolResult, user } from "./prompts";
import { ask, done, init, say } from "./steps";
import { callsOf, openTurns, type TurnFixture, turn } from "./turns";

type Connect = GiselleProviderDeps["connectCloudApi"];

describe("a message that may have arrived", () => {
	let open: TurnFixture | undefined;
	const openWith = async (...args: Parameters<typeof openTurns>) => {
		open = await openTurns(...args);
		return open;
	};
	afterEach(async () => {
		vi.restoreAllMocks();
		await open?.close();
		open = undefined;
	});
	const keys = () =>
		open?.api.calls.filter(({ path }) => path === "run").map(({ body }) => body.idempotency_key);

	/** The server takes the first message, and its caller does not hear of it. */
	function deaf(lose: (connection: CloudApiConnection) => CloudApiConnection): {
		deps: { connectCloudApi: Connect };
	} {
		let calls = 0;
		const connect: Connect = async (request) => {
			const connection = await connectCloudApi(fetch, request);
			return calls++ === 0 ? lose(connection) : connection;
		};
		return { deps: { connectCloudApi: connect } };
	}

	const noLine = ({ reader, response }: CloudApiConnection): CloudApiConnection => {
		void reader.cancel();
		const broken = new ReadableStream<Uint8Array>({
			pull: (controller) => controller.error(new Error("reset")),
		});
		return { reader: broken.getReader(), response };
	};
	const noAnswer = ({ reader }: CloudApiConnection): never => {
		void reader.cancel();
		throw new APICallError({
			message: "The connection was reset.",
			url: "http://agent.test",
			requestBodyValues: {},
			isRetryable: true,
		});
	};
	const answering = {
		script: (run: Parameters<typeof init>[0]) => [init(run), ...say("hi"), done],
	};

	it.each(["Node", "a runtime with Web Crypto alone"])(
		"is known by its digest, in %s",
		async (name) => {
			if (name !== "Node")
				vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined as never);
			const sessions = createMemorySessions();
			const { set } = sessions;
			const stored: unknown[] = [];
			sessions.set = (...args) => {
				stored.push(args[1]);
				return set(...args);
			};
			const { model } = await openWith(answering, { sessions });
			await turn(model, [user("hé")], { chatId: "c" });
			// printf 'hé' | sha256sum
			const digest = "7dfbe0eab96510b11c9a2671d83019cd52953211294db5f917ffa0b7cc84f534";
			expect(stored).toContainEqual(
				expect.objectContaining({ sent: { key: expect.any(String), digest } }),
			);
		},
	);

	it("leaves under the caller's own key while its record is being stored", async () => {
		const sessions = createMemorySessions();
		const { set } = sessions;
		const stored: unknown[] = [];
		let mayStore = () => {};
		const sent = new Promise<void>((resolve) => {
			mayStore = resolve;
		});
		sessions.set = async (...args) => {
			await sent;
			stored.push(args[1]);
			return set(...args);
		};
		const connect: Connect = (request) => {
			mayStore();
			return connectCloudApi(fetch, request);
		};
		const { model } = await openWith(answering, { sessions, deps: { connectCloudApi: connect } });
		const { text } = await turn(model, [user("go")], { idempotencyKey: "own" });
		expect(text).toBe("hi");
		expect(stored).toMatchObject([{ sent: { key: "own" } }]);
	});

	it("is not taken for sent when its record could not be stored, and is begun once all the same", async () => {
		const sessions = createMemorySessions();
		const { set } = sessions;
		let isDown = true;
		sessions.set = async (...args) => {
			if (isDown) throw new Error("The store is away.");
			return set(...args);
		};
		const { model } = await openWith(answering, { sessions });
		const go = () => turn(model, [user("go")], { idempotencyKey: "own" });
		await expect(go()).rejects.toThrow("The store is away.");
		isDown = false;
		expect((await go()).text).toBe("hi");
		expect(keys()).toEqual(["own", "own"]);
	});

	it("is sent again under its key when the stream breaks before its first line", async () => {
		const { api, model } = await openWith(answering, deaf(noLine));
		const { text, errors, finish } = await turn(model, [user("go")]);
		expect({ text, errors }).toEqual({ text: "hi", errors: [] });
		expect(finish.providerMetadata?.giselle).toMatchObject({ resume: "new" });
		expect(keys()).toHaveLength(2);
		expect(new Set(keys()).size).toBe(1);
		expect(api.sessions.size).toBe(1);
	});

	it("is not sent again to a server that does not know keys", async () => {
		const { api, model } = await openWith({ ...answering, numbered: false }, deaf(noLine));
		const { errors } = await turn(model, [user("go")]);
		expect(errors).toMatchObject([{ code: "truncated" }]);
		expect(api.calls).toHaveLength(1);
	});

	it("keeps its key when the same call is tried again, and the next call has another", async () => {
		const { api, model } = await openWith(answering, deaf(noAnswer));
		const prompt = [user("go")];
		await expect(turn(model, prompt)).rejects.toMatchObject({ isRetryable: true });
		expect((await turn(model, prompt)).text).toBe("hi");
		expect(api.sessions.size).toBe(1);
		await turn(model, prompt);
		expect(api.sessions.size).toBe(2);
		expect(new Set(keys()).size).toBe(2);
	});

	it("is found by its chat when its process died before it heard of the server", async () => {
		const { api, model, another } = await openWith(answering, deaf(noAnswer));
		const chat = { chatId: "c1" };
		await expect(turn(model, [user("go")], chat)).rejects.toThrow();
		expect((await turn(another(), [user("go")], chat)).text).toBe("hi");
		expect(api.sessions.size).toBe(1);
		expect(new Set(keys()).size).toBe(1);
		// It was heard: the same words again are another message.
		expect((await turn(another(), [user("go")], chat)).text).toBe("hi");
		expect(new Set(keys()).size).toBe(2);
	});

	it("is another one when the person wrote something else instead", async () => {
		const { model, another } = await openWith(answering, deaf(noAnswer));
		const chat = { chatId: "c1" };
		await expect(turn(model, [user("go")], chat)).rejects.toThrow();
		await turn(another(), [user("stop")], chat);
		expect(new Set(keys()).size).toBe(2);
	});

	it("brings back its turn with its own key, also one that waits for the page", async () => {
		const { api, model, another } = await openWith({
			script: (run) => [init(run), ...say("Look: "), ask("r1"), ...say("done."), done],
		});
		const same = { chatId: "c1", idempotencyKey: "k1" };
		const first = await turn(model, [user("go")], same);
		expect(first.finish.providerMetadata?.giselle).toMatchObject({ resume: "new" });
		const again = await turn(another(), [user("go")], same);
		expect(again).toMatchObject({ text: "Look: ", id: first.id });
		expect(again.finish.providerMetadata?.giselle).toMatchObject({ resume: "attach" });
		expect(callsOf(again)).toEqual(["r1"]);
		const rest = await turn(another(), [user("go"), ...toolResult("r1")], same);
		expect(rest.text).toBe("done.");
		expect((await turn(another(), [user("go")], same)).text).toBe("Look: done.");
		expect(api.answers).toHaveLength(1);
		const [session] = api.sessions.values();
		const begun = session?.log.filter((entry) => "type" in entry && entry.type === "init");
		expect(begun).toHaveLength(1);
	});
});
