import { randomUUID } from "node:crypto";
import { demoPieces } from "@baton/agent/demo";
import { type RedisServer, requirePart, startRedis, type TempDir, tempDir } from "@baton/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Server, startServer } from "./support/baton";
import { faithfulTurn, PATIENCE_MS } from "./support/faithful-client";
import { type Line, textOf } from "./support/turn";

const CLIENTS = 5;
/** How often each of the two instances is replaced. */
const ROUNDS = process.env.BATON_FULL ? 6 : 1;
const SHORT = "/stream 20 words every 10ms";
/** Longer than a stop waits, so that it is handed over. */
const LONG = "/stream 80 words every 40ms";

/** A long turn may be handed on by every restart, and end only after the last one. */
const LONGEST_MS = PATIENCE_MS + ROUNDS * 10_000;

interface Told {
	message: string;
	lines: Line[];
}

describe.skipIf(!requirePart("redis-server"))("a rolling restart under load", () => {
	let redis: RedisServer;
	let home: TempDir;
	const instances: Server[] = [];

	const start = () =>
		startServer({
			home: home.path,
			env: {
				REDIS_URL: redis.url,
				BATON_STOP_SECONDS: "1",
				BATON_RATE_PER_MINUTE: "100000",
				BATON_LOG_LEVEL: "error",
			},
		});
	const tell = async (pick: () => Server, session_id: string, message: string): Promise<Told> => {
		const turn = { session_id, message, idempotency_key: randomUUID() };
		return { message, lines: await faithfulTurn(pick, turn, LONGEST_MS) };
	};

	beforeAll(async () => {
		redis = await startRedis();
		home = await tempDir("baton-rolling");
		instances.push(await start(), await start());
	});
	afterAll(async () => {
		await Promise.all(instances.map(({ process }) => process.stop()));
		await redis.stop();
		await home.remove();
	});

	it(
		"loses no turn, and no reader an event",
		async () => {
			let turn = 0;
			let restarting = true;
			// As a load balancer that has not noticed yet: also to an instance that is on its way out.
			const anyone = () => instances[turn++ % instances.length] as Server;
			const clients = Array.from({ length: CLIENTS }, async (_, n) => {
				const told: Told[] = [];
				while (restarting) told.push(await tell(anyone, `chat-${n}`, SHORT));
				return told;
			});
			const long: Promise<Told>[] = [];
			for (let round = 0; round < ROUNDS; round++) {
				for (const [at, old] of instances.entries()) {
					let asked = false;
					// It begins where the stop will be, and goes on elsewhere.
					const here = () => (asked ? anyone() : old);
					long.push(
						tell(here, `long-${round}-${at}`, LONG).finally(() => {
							asked = true;
						}),
					);
					await begun(old, `long-${round}-${at}`);
					asked = true;
					old.process.kill("SIGTERM");
					expect(await old.process.exited).toEqual({ code: 0, signal: null });
					instances[at] = await start();
				}
			}
			restarting = false;
			const told = [...(await Promise.all(clients)).flat(), ...(await Promise.all(long))];
			expect(told.length).toBeGreaterThan(CLIENTS * 2 * ROUNDS);
			for (const { message, lines } of told) {
				expect(textOf(lines)).toBe([...demoPieces(message)].join(""));
				const ends = lines.filter(({ type }) => type === "result");
				expect(ends).toMatchObject([{ status: "success" }]);
				const seqs = lines.map(({ seq }) => Number(seq));
				expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
			}
			const handedOver = (await Promise.all(long)).filter(({ lines }) =>
				lines.some(({ type }) => type === "recovered"),
			);
			expect(handedOver).toHaveLength(2 * ROUNDS);
		},
		60_000 + ROUNDS * 60_000,
	);
});

/** Resolves when somebody reads the first words of the session's turn. */
async function begun(server: Server, session_id: string): Promise<void> {
	for (;;) {
		const body = { type: "agent.run", session_id, attach: true };
		const answer = await server.call("run", body);
		if (!answer.ok) {
			await answer.body?.cancel();
			continue;
		}
		const text = answer.body?.pipeThrough(new TextDecoderStream());
		for await (const piece of text ?? []) if (piece.includes('"message"')) return;
	}
}
