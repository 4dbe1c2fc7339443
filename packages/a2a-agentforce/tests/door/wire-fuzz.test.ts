import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DoorFixture, openDoor } from "./door-fixture";
import { junk, junkParams, METHODS, PATHS, version } from "./junk";
import { wireCalls } from "./wire-calls";

const RUNS = process.env.BATON_FULL ? 5_000 : 400;

describe("junk on the wire of the A2A door", () => {
	let fixture: DoorFixture;
	beforeAll(async () => {
		fixture = await openDoor({ maxBodyBytes: 64 * 1024 });
	});
	afterAll(async () => {
		await fixture.close();
		expect(fixture.warnings).toEqual([]);
	});
	const { call, rpc } = wireCalls(() => fixture.url);

	it(`gets typed errors for ${RUNS} malformed JSON-RPC bodies, and none is a crash`, async () => {
		const body = fc.oneof(
			{ weight: 1, arbitrary: fc.string() },
			{ weight: 1, arbitrary: fc.json() },
			{
				weight: 6,
				arbitrary: fc
					.record({
						jsonrpc: fc.oneof(
							{ weight: 5, arbitrary: fc.constant("2.0") },
							{ weight: 1, arbitrary: junk },
						),
						id: fc.oneof(fc.integer(), junk),
						method: fc.oneof(
							{ weight: 8, arbitrary: fc.constantFrom(...METHODS) },
							{ weight: 1, arbitrary: junk },
						),
						params: junkParams,
					})
					.map((value) => JSON.stringify(value)),
			},
		);
		await fc.assert(
			fc.asyncProperty(body, version, async (text, asVersion) => {
				const response = await rpc(text, { "a2a-version": asVersion });
				expect([200, 400]).toContain(response.status);
				if (response.headers.get("content-type")?.startsWith("text/event-stream")) {
					expect(await response.text()).toMatch(/^data: /);
					return;
				}
				const answer = (await response.json()) as {
					jsonrpc: string;
					error?: { code: number; message: string };
				};
				expect(answer.jsonrpc).toBe("2.0");
				if (!answer.error) return;
				expect(answer.error.code).toBeLessThan(-31_999);
				expect(answer.error.code).not.toBe(-32603);
				expect(answer.error.message).not.toMatch(/of undefined|is not a function|Cannot read/);
			}),
			{ numRuns: RUNS },
		);
	}, 600_000);

	it(`gets typed errors for ${RUNS} malformed REST bodies, and none is a crash`, async () => {
		const body = fc.oneof(
			fc.string(),
			junkParams.map((value) => JSON.stringify(value)),
		);
		const method = fc.constantFrom("POST", "POST", "GET", "DELETE");
		await fc.assert(
			fc.asyncProperty(
				body,
				version,
				fc.constantFrom(...PATHS),
				method,
				async (text, asVersion, path, how) => {
					const response = await call(
						path,
						{ method: how, ...(how === "POST" && { body: text }) },
						{ "a2a-version": asVersion },
					);
					expect(response.status).toBeLessThan(500);
					const answer = await response.text();
					expect(answer).not.toMatch(/is not a function|Cannot read|<html|\n {4}at /);
					if (response.status >= 400) JSON.parse(answer);
				},
			),
			{ numRuns: RUNS },
		);
	}, 600_000);
});
