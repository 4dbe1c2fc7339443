import { openRequest } from "@baton/agent";
import fc from "fast-check";
import { expect, it, vi } from "vitest";
import { createRelayHandler } from "../src/relay";
import { relayErrorCodes } from "../src/types";
import { executeRequest, snapshotRequest, snapshotResponse } from "./messages";
import { memory, newSession } from "./stores";

const STATUSES = [200, 400, 401, 404, 405, 408, 409, 413, 422];

it("whatever is sent, by whomever, the relay answers with a typed error and stays up", async () => {
	const relays = await memory.open({ timeoutMs: 1 });
	const { agentSessionId, page, agent } = await newSession(relays);
	await openRequest(relays.a.sessions, agentSessionId, snapshotRequest("open"));
	const onError = vi.fn();
	const handle = createRelayHandler({ store: relays.a, onError, maxBodyBytes: 20_000 });

	const text = fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.constant("\ud800"));
	const junk = fc.oneof({ maxDepth: 3 }, fc.jsonValue(), text);
	const payload = fc.oneof(
		fc.constantFrom(snapshotRequest("r1"), executeRequest("r2"), snapshotResponse("open"), "open"),
		fc.record(
			{
				type: fc.constantFrom("snapshot_request", "execute_request", "error_response", "x"),
				requestId: fc.oneof(fc.constant("open"), text),
				instruction: junk,
				actions: fc.array(junk),
				fields: fc.array(junk),
				message: text,
			},
			{ requiredKeys: [] },
		),
		junk,
	);
	const somebody = fc.oneof(
		{ weight: 6, arbitrary: fc.constantFrom(page, agent) },
		{ weight: 1, arbitrary: fc.record({ sessionId: text, token: text }) },
		{ weight: 1, arbitrary: fc.record({ sessionId: junk, token: junk }, { requiredKeys: [] }) },
	);
	const types = fc.constantFrom("relay.dispatch", "relay.respond", "relay.claim");
	const rest = fc.record(
		{
			type: fc.oneof({ weight: 9, arbitrary: types }, { weight: 1, arbitrary: junk }),
			request: payload,
			response: payload,
			requestId: payload,
			claimId: fc.oneof(fc.constant("tab-1"), junk),
			timeoutMs: fc.oneof(fc.constantFrom(1, 1e308, -1, 0), junk),
			["__proto__"]: junk,
		},
		{ requiredKeys: ["type"] },
	);
	const body = fc.tuple(somebody, rest).map(([who, what]) => ({ ...who, ...what }));
	const bytes = fc.oneof(
		{ weight: 8, arbitrary: body.map((value) => JSON.stringify(value)) },
		{ weight: 1, arbitrary: body.map((value) => JSON.stringify(value).slice(0, -3)) },
		{ weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((b) => new Uint8Array(b)) },
	);
	// One way into each room, so that chance decides what else is tried, not whether.
	const says = (who: object, what: object): [string, "POST"] => [
		JSON.stringify({ ...who, ...what }),
		"POST",
	];
	const examples = [
		says(agent, { type: "relay.dispatch", request: snapshotRequest("example"), timeoutMs: 1 }),
		says(page, { type: "relay.claim", requestId: "open", claimId: "tab-1" }),
		says(page, { type: "relay.respond", response: snapshotResponse("nobody") }),
		says(page, {
			type: "relay.respond",
			claimId: "tab-1",
			response: {
				type: "execute_response",
				requestId: "open",
				report: { applied: 0, skipped: 0, warnings: [] },
			},
		}),
		says(
			{ ...page, token: "forged" },
			{ type: "relay.claim", requestId: "open", claimId: "tab-1" },
		),
	];
	const seen = new Set<number>();
	await fc.assert(
		fc.asyncProperty(
			bytes,
			fc.constantFrom("POST", "POST", "POST", "PUT"),
			async (content, method) => {
				const request = new Request("http://relay.test/", { method, body: content });
				const response = await handle(request);
				const answer = (await response.json()) as { ok: boolean; errorCode: string };
				expect(STATUSES).toContain(response.status);
				seen.add(response.status);
				if (!answer.ok) expect(relayErrorCodes).toContain(answer.errorCode);
			},
		),
		{ numRuns: 1_000, examples },
	);
	expect(onError).not.toHaveBeenCalled();
	// It got past the door, and into every room behind it.
	expect([...seen]).toEqual(expect.arrayContaining([200, 400, 401, 404, 405, 408, 422]));
	await relays.close();
});
