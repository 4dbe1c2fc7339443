import { describe, expect, it } from "vitest";
import { user } from "./prompts";
import { done, init, say } from "./steps";
import { turn } from "./turns";
import { asking, useTurns } from "./use-turns";

describe("a turn whose stream breaks", () => {
	const { openWith, runs } = useTurns();

	it("is attached to again when its stream breaks, and nobody notices", async () => {
		const { model } = await openWith({
			script: function* (run) {
				yield init(run);
				for (let n = 0; n < 5; n++) {
					yield* say(`${n} `);
					yield { wait: 10 };
					yield { cut: true };
					yield { wait: 10 };
				}
				yield* say("end");
				yield done;
			},
		});
		const { text, finish } = await turn(model, [user("go")]);
		expect(text).toBe("0 1 2 3 4 end");
		expect(finish.finishReason.unified).toBe("stop");
		expect(runs().filter((body) => "message" in body)).toHaveLength(1);
	});

	it("is an error when the stream broke and cannot be attached to", async () => {
		const { model } = await openWith(
			{
				script: function* (run) {
					yield init(run);
					yield* say("half");
					yield { wait: 20 };
					yield { cut: true };
				},
				refuse: (path, body) => (path === "run" && body.attach ? 404 : undefined),
			},
			{},
		);
		const { errors, finish, text } = await turn(model, [user("go")]);
		expect(text).toBe("half");
		expect(errors).toMatchObject([{ code: "truncated", retryable: true }]);
		expect(finish.finishReason.unified).toBe("error");
	});

	it("is an error when a numbered stream ends without its result", async () => {
		const { model } = await openWith(
			{ script: (run) => [init(run), ...say("half")] },
			{ reconnectMs: 0 },
		);
		expect((await turn(model, [user("go")])).errors).toMatchObject([{ code: "truncated" }]);
	});

	it("is an error when a plain stream ends inside a line, and none when it simply ends", async () => {
		const cut = await openWith({
			numbered: false,
			script: (run) => [init(run), ...say("whole"), { raw: '{"type":"mess' }],
		});
		expect((await turn(cut.model, [user("go")])).errors).toMatchObject([{ code: "truncated" }]);
		await cut.close();
		const plain = await openWith({
			numbered: false,
			script: (run) => [init(run), ...say("whole")],
		});
		const { finish, errors } = await turn(plain.model, [user("go")]);
		expect(errors).toEqual([]);
		expect(finish.finishReason.unified).toBe("stop");
	});

	it.each([true, false])(
		"does not wait for ever on a silent stream, numbered: %s",
		async (numbered) => {
			const { model } = await openWith(
				{ numbered, script: (run) => [init(run), ...say("hm"), { wait: 5_000 }] },
				{ silenceMs: 40, reconnectMs: numbered ? 200 : 0 },
			);
			const { errors, text } = await turn(model, [user("go")]);
			expect(text).toBe("hm");
			expect(errors).toMatchObject([{ code: "truncated" }]);
		},
	);

	it("shows a line once, however often a server sends it", async () => {
		const line = (value: object) => new TextEncoder().encode(`${JSON.stringify(value)}\n`);
		const delta = (seq: number) => {
			const said = { role: "assistant", content: `${seq} `, delta: true };
			return line({ seq, run_id: "u", type: "message", ...said });
		};
		const start = [
			line({ seq: 1, run_id: "u", type: "init", session_id: "s" }),
			delta(2),
			delta(3),
		];
		const end = line({ seq: 5, run_id: "u", type: "result", status: "success" });
		const answers = [start, [...start, delta(4), end]];
		const { model } = await openWith(
			{ script: asking },
			{
				deps: {
					async connectCloudApi() {
						const chunks = answers.shift() ?? [];
						const stream = new ReadableStream<Uint8Array>({
							start(controller) {
								for (const chunk of chunks) controller.enqueue(chunk);
								controller.close();
							},
						});
						return { reader: stream.getReader(), response: new Response() };
					},
				},
			},
		);
		expect((await turn(model, [user("go")])).text).toBe("2 3 4 ");
	});
});
