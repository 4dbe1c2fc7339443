import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isBatonError } from "../errors";
import type { Json } from "../json";
import { openMemoryStore } from "../memory";
import type { AppendOptions, Collection, Lease, SessionRecord } from "../port";
import type { ContractContext } from "./contract-subject";
import { pairs } from "./observe";

/** What a run of operations needs to remember. */
interface World {
	sessions: Collection;
	/** The last lease of each session. */
	leases: Map<string, Lease>;
	/** The token of its first: where tokens begin is the driver's choice, how they grow is not. */
	firstTokens: Map<string, number>;
}

type Operation = { name: string; run: (world: World) => Promise<unknown> };

const id = fc.constantFrom("a", "b", "c");
const alias = fc.constantFrom("x", "y");
const log = fc.constantFrom("events", "transcript");
const json = fc.jsonValue({ maxDepth: 2, stringUnit: "binary" }) as fc.Arbitrary<Json>;
const register = fc.constantFrom(null, "r1", "r2");

const appendOptions = fc.record(
	{
		once: fc.record({ key: fc.constantFrom("k1", "k2") }),
		swap: fc.record({ register: fc.constant("run"), from: register, to: register }),
		underLease: fc.boolean(),
	},
	{ requiredKeys: [] },
);

const operation: fc.Arbitrary<Operation> = fc.oneof(
	fc
		.tuple(id, json, fc.array(alias, { maxLength: 2 }), fc.nat(3))
		.map(([id, value, aliases, createdAt]) => ({
			name: `create ${id} [${aliases}]`,
			run: async ({ sessions }: World) =>
				shown(await sessions.create(id, { value }, { aliases, createdAt, group: "g" })),
		})),
	id.map((id) => ({
		name: `get ${id}`,
		run: async ({ sessions }: World) => shown(await sessions.get(id)),
	})),
	alias.map((alias) => ({
		name: `find ${alias}`,
		run: async ({ sessions }: World) => shown(await sessions.find(alias)),
	})),
	fc.tuple(id, json, fc.option(alias), fc.option(alias)).map(([id, value, add, remove]) => ({
		name: `update ${id} +${add} -${remove}`,
		run: async ({ sessions }: World) =>
			shown(
				await sessions.update(id, (old) => ({ ...old, value }), {
					addAliases: add === null || add === remove ? [] : [add],
					removeAliases: remove === null ? [] : [remove],
				}),
			),
	})),
	id.map((id) => ({
		name: `delete ${id}`,
		run: async ({ sessions, leases, firstTokens }: World) => {
			leases.delete(id);
			firstTokens.delete(id);
			await sessions.delete(id);
		},
	})),
	fc.integer({ min: 1, max: 3 }).map((limit) => ({
		name: `list ${limit}`,
		run: async ({ sessions }: World) => {
			const page = await sessions.list({ group: "g", limit });
			return [page.records.map(shown), page.cursor];
		},
	})),
	id.map((id) => ({
		name: `increment ${id}`,
		run: ({ sessions }: World) => sessions.increment(id, "n"),
	})),
	fc
		.tuple(id, log, fc.array(json, { minLength: 1, maxLength: 5 }), appendOptions)
		.map(([id, log, events, { underLease, ...conditions }]) => ({
			name: `append ${id} ${log} x${events.length} ${JSON.stringify(conditions)} ${underLease}`,
			run: ({ sessions, leases }: World) => {
				const options: AppendOptions = { ...conditions };
				const lease = leases.get(id);
				if (underLease && lease) options.lease = lease;
				return sessions.append(id, log, events, options);
			},
		})),
	fc.tuple(id, log, fc.nat(12), fc.integer({ min: 1, max: 6 })).map(([id, log, after, limit]) => ({
		name: `read ${id} ${log} ${after} ${limit}`,
		run: async ({ sessions }: World) => {
			const slice = await sessions.read(id, log, { after, limit });
			return { ...slice, entries: pairs(slice) };
		},
	})),
	fc.tuple(id, log, fc.integer({ min: 1, max: 6 })).map(([id, log, count]) => ({
		name: `tail ${id} ${log} ${count}`,
		run: async ({ sessions }: World) => pairs(await sessions.tail(id, log, count)),
	})),
	fc.tuple(id, log, fc.integer({ min: 1, max: 12 })).map(([id, log, first]) => ({
		name: `trim ${id} ${log} ${first}`,
		run: ({ sessions }: World) => sessions.trim(id, log, first),
	})),
	fc.tuple(id, log).map(([id, log]) => ({
		name: `state ${id} ${log}`,
		run: async ({ sessions }: World) => {
			const { lease, ...state } = await sessions.state(id, log);
			return { ...state, holder: lease?.holder };
		},
	})),
	id.map((id) => ({
		name: `take ${id}`,
		run: async ({ sessions, leases, firstTokens }: World) => {
			const lease = await sessions.takeLease(id, { holder: "h", ttlMs: 600_000 });
			if (!lease) return null;
			leases.set(id, lease);
			const first = firstTokens.get(id) ?? lease.token;
			firstTokens.set(id, first);
			return { ...lease, token: lease.token - first };
		},
	})),
	id.map((id) => ({
		name: `release ${id}`,
		run: async ({ sessions, leases }: World) => {
			const lease = leases.get(id);
			if (lease) await sessions.releaseLease(lease);
		},
	})),
);

export function modelContract({ open }: ContractContext): void {
	describe("model", () => {
		it("agrees with the memory driver on random sequences of operations", async () => {
			await fc.assert(
				fc.asyncProperty(
					fc.array(operation, { minLength: 5, maxLength: 60 }),
					async (operations) => {
						const { store, dispose } = await open();
						const model = openMemoryStore();
						const world = {
							sessions: store.collection("sessions"),
							leases: new Map(),
							firstTokens: new Map(),
						};
						const modelWorld = {
							sessions: model.collection("sessions"),
							leases: new Map(),
							firstTokens: new Map(),
						};
						for (const { name, run } of operations) {
							const expected = await outcome(run, modelWorld);
							expect([name, await outcome(run, world)]).toEqual([name, expected]);
						}
						await dispose();
					},
				),
				{ numRuns: process.env.BATON_FULL ? 400 : 40 },
			);
		});
	});
}

async function outcome(run: Operation["run"], world: World): Promise<unknown> {
	try {
		return { value: await run(world) };
	} catch (error) {
		if (isBatonError(error)) return { code: error.code };
		throw error;
	}
}

/** A record without what differs by the clock. */
function shown(record: SessionRecord | null): unknown {
	return record && { ...record, updatedAt: 0 };
}
