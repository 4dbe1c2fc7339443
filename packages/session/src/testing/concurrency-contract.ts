import { describe, expect, it } from "vitest";
import type { Store } from "../port";
import type { ContractContext } from "./contract-subject";

const WRITERS = 20;

export function concurrencyContract({ open }: ContractContext): void {
	describe("concurrency", () => {
		it("keeps every one of many concurrent updates and never repeats a number (I6)", async () => {
			const { stores } = await openSome(open);
			const collections = stores.map((store) =>
				store.collection<{ [key: string]: number }>("sessions"),
			);
			const [sessions] = collections;
			await sessions!.create("a", {});
			const numbers = await Promise.all(
				Array.from({ length: WRITERS }, async (_, i) => {
					const mine = collections[i % collections.length]!;
					await mine.update("a", (value) => ({ ...value, [`w${i}`]: i }));
					await mine.update("a", (value) => ({ ...value, total: (value.total ?? 0) + 1 }));
					return mine.increment("a", "n");
				}),
			);
			const record = await sessions!.get("a");
			expect(record?.value.total).toBe(WRITERS);
			expect(Object.keys(record?.value ?? {})).toHaveLength(WRITERS + 1);
			expect(record?.version).toBe(1 + 2 * WRITERS);
			expect(numbers.sort((x, y) => x - y)).toEqual(numbers.map((_, i) => i + 1));
		});

		it("numbers the events of concurrent writers without gaps, batches unbroken (I1)", async () => {
			const { stores } = await openSome(open);
			const collections = stores.map((store) => store.collection("sessions"));
			await collections[0]!.create("a", {});
			await Promise.all(
				Array.from({ length: WRITERS }, async (_, writer) => {
					const mine = collections[writer % collections.length]!;
					for (let batch = 0; batch < 5; batch++) {
						await mine.append(
							"a",
							"events",
							[0, 1, 2].map((part) => ({ writer, batch, part })),
						);
					}
				}),
			);
			const { entries } = await collections[0]!.read("a", "events", { limit: 10_000 });
			expect(entries.map((entry) => entry.seq)).toEqual(entries.map((_, i) => i + 1));
			expect(entries).toHaveLength(WRITERS * 15);
			const next = new Map<number, number>();
			for (let i = 0; i < entries.length; i += 3) {
				const [a, b, c] = entries.slice(i, i + 3).map((entry) => entry.event) as unknown as Part[];
				expect([a!.part, b!.part, c!.part]).toEqual([0, 1, 2]);
				expect([b, c].every((e) => e!.writer === a!.writer && e!.batch === a!.batch)).toBe(true);
				expect(a!.batch).toBe(next.get(a!.writer) ?? 0);
				next.set(a!.writer, a!.batch + 1);
			}
		});

		it("gives the lease to one of many who ask at once", async () => {
			const { stores } = await openSome(open);
			await stores[0]!.collection("sessions").create("a", {});
			const leases = await Promise.all(
				Array.from({ length: WRITERS }, (_, i) =>
					stores[i % stores.length]!.collection("sessions").takeLease("a", {
						holder: `w${i}`,
						ttlMs: 60_000,
					}),
				),
			);
			expect(leases.filter(Boolean)).toHaveLength(1);
		});

		it("lets one of many creators of an id or an alias win", async () => {
			const { stores } = await openSome(open);
			const ids = await Promise.allSettled(
				Array.from({ length: WRITERS }, (_, i) =>
					stores[i % stores.length]!.collection("sessions").create("same", { i }),
				),
			);
			expect(ids.filter((result) => result.status === "fulfilled")).toHaveLength(1);
			const aliases = await Promise.allSettled(
				Array.from({ length: WRITERS }, (_, i) =>
					stores[i % stores.length]!.collection("sessions").create(`s${i}`, {}, { aliases: ["x"] }),
				),
			);
			const winners = aliases.filter((result) => result.status === "fulfilled");
			expect(winners).toHaveLength(1);
			const found = await stores[0]!.collection("sessions").find("x");
			expect(found?.id).toBe(winners[0]?.status === "fulfilled" ? winners[0].value.id : "");
			expect((await stores[0]!.collection("sessions").list()).records).toHaveLength(2);
		});
	});
}

interface Part {
	writer: number;
	batch: number;
	part: number;
}

/** The store, and where there can be one, a second on the same data. */
async function openSome(open: ContractContext["open"]): Promise<{ stores: Store[] }> {
	const { store, openSecond } = await open();
	return { stores: openSecond ? [store, await openSecond()] : [store] };
}
