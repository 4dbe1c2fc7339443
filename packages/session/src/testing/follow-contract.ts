import { describe, expect, it } from "vitest";
import type { Json } from "../json";
import type { ContractContext } from "./contract-subject";
import { eventually, expectError, followUntil } from "./observe";

export function followContract({ open }: ContractContext): void {
	describe("follow", () => {
		it("replays, then goes on live, each event once and in order (I3)", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			await sessions.append("a", "events", [1, 2, 3]);
			const following = followUntil(sessions, "a", "events", 203);
			for (let i = 4; i <= 203; i++) await sessions.append("a", "events", [i]);
			const { seen, resets } = await following;
			expect(seen).toEqual(Array.from({ length: 203 }, (_, i) => [i + 1, i + 1]));
			expect(resets).toEqual([]);
		});

		it("starts after its cursor", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			await sessions.append("a", "events", [1, 2, 3]);
			expect((await followUntil(sessions, "a", "events", 1, { after: 2 })).seen).toEqual([[3, 3]]);
		});

		it("may leave out what is of no interest, and nothing else", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			const options = { fresh: true, omit: '"text' };
			const wanted: [number, Json][] = [];
			const following = (async () => {
				for await (const { entries } of sessions.follow("a", "events", options)) {
					for (const { seq, event } of entries) {
						if (!String(event).startsWith("text")) wanted.push([seq, event]);
						if (event === "end") return;
					}
				}
			})();
			for (let i = 0; i < 50; i++) {
				await sessions.append("a", "events", ["text 1", `word ${i}`, "text 2", "text 3"]);
			}
			await sessions.append("a", "events", ["end"]);
			await following;
			const words = Array.from({ length: 50 }, (_, i) => [4 * i + 2, `word ${i}`]);
			expect(wanted).toEqual([...words, [201, "end"]]);
		});

		it("reads a long log in batches of the asked size", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			await sessions.append(
				"a",
				"events",
				Array.from({ length: 250 }, (_, i) => i),
			);
			const sizes: number[] = [];
			let count = 0;
			for await (const { entries } of sessions.follow("a", "events", { limit: 100 })) {
				sizes.push(entries.length);
				count += entries.length;
				if (count === 250) break;
			}
			expect(Math.max(...sizes)).toBe(100);
		});

		it("hands a late reader some events before all of them", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			for (let i = 0; i < 10; i++) {
				const words = Array.from({ length: 50 }, (_, n) => 50 * i + n + 1);
				await sessions.append("a", "events", words);
			}
			const sizes: number[] = [];
			const seen: number[] = [];
			for await (const { entries } of sessions.follow("a", "events")) {
				sizes.push(entries.length);
				seen.push(...entries.map(({ seq }) => seq));
				if (seen.length >= 500) break;
			}
			expect(sizes[0]).toBeLessThan(50);
			expect(seen).toEqual(Array.from({ length: 500 }, (_, i) => i + 1));
		});

		it("sees every event once while many are appended and readers are slow", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			const total = 3_000;
			const slow = async () => {
				const seen: number[] = [];
				for await (const { entries } of sessions.follow("a", "events", { limit: 70 })) {
					for (const entry of entries) seen.push(entry.seq);
					if (seen.length >= total) return seen;
					await new Promise((resolve) => setImmediate(resolve));
				}
				return seen;
			};
			const readers = [slow(), slow(), slow()];
			for (let i = 0; i < total; i += 30) {
				await sessions.append(
					"a",
					"events",
					Array.from({ length: 30 }, (_, k) => i + k),
				);
			}
			const expected = Array.from({ length: total }, (_, i) => i + 1);
			for (const reader of readers) expect(await reader).toEqual(expected);
		});

		it("shows an event only once it is stored (I2)", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			let checked = 0;
			const following = (async () => {
				for await (const { entries } of sessions.follow("a", "events")) {
					for (const { seq, event } of entries) {
						const stored = await sessions.read("a", "events", { after: seq - 1, limit: 1 });
						expect(stored.entries[0]?.event).toEqual(event);
						checked++;
					}
					if (checked >= 20) return;
				}
			})();
			for (let i = 0; i < 20; i++) await sessions.append("a", "events", [{ i }]);
			await following;
			expect(checked).toBe(20);
		});

		it("ends without an error when its signal is aborted, waiting or not", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			await sessions.append("a", "events", [1]);
			const controller = new AbortController();
			const seen: Json[] = [];
			const following = (async () => {
				for await (const { entries } of sessions.follow("a", "events", {
					signal: controller.signal,
				})) {
					for (const entry of entries) seen.push(entry.event);
				}
			})();
			await eventually(() => seen.length === 1);
			controller.abort();
			await following;
			await sessions.append("a", "events", [2]);
			expect(seen).toEqual([1]);
			for await (const batch of sessions.follow("a", "events", { signal: controller.signal })) {
				expect.unreachable(`an aborted follower got ${batch.entries.length} events`);
			}
		});

		it("gets a reset for a cursor that was trimmed away, then what is kept (I3)", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			await sessions.append("a", "events", [1, 2, 3, 4, 5]);
			await sessions.trim("a", "events", 4);
			const { seen, resets } = await followUntil(sessions, "a", "events", 2, { after: 1 });
			expect(resets).toEqual([{ reason: "trimmed", first: 4 }]);
			expect(seen).toEqual([
				[4, 4],
				[5, 5],
			]);
		});

		it("gets a reset for a cursor beyond the end (I3)", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			await sessions.append("a", "events", [1]);
			const { seen, resets } = await followUntil(sessions, "a", "events", 1, { after: 7 });
			expect(resets).toEqual([{ reason: "diverged", first: 1 }]);
			expect(seen).toEqual([[1, 1]]);
		});

		it("goes on undisturbed when what it has read is trimmed", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			await sessions.append("a", "events", [1, 2]);
			const seen: number[] = [];
			for await (const { entries, reset } of sessions.follow("a", "events")) {
				expect(reset).toBeNull();
				for (const entry of entries) seen.push(entry.seq);
				if (seen.length === 2) {
					await sessions.trim("a", "events", 3);
					await sessions.append("a", "events", [3]);
				}
				if (seen.length === 3) break;
			}
			expect(seen).toEqual([1, 2, 3]);
		});

		it("rejects for an absent session, and when the session is deleted", async () => {
			const sessions = (await open()).store.collection("sessions");
			await expectError(followUntil(sessions, "a", "events", 1), "not_found");
			await sessions.create("a", {});
			const following = expectError(followUntil(sessions, "a", "events", 2), "not_found");
			await sessions.append("a", "events", [1]);
			await sessions.delete("a");
			await following;
		});

		it("ends with an error when the store is closed", async () => {
			const { store } = await open();
			const sessions = store.collection("sessions");
			await sessions.create("a", {});
			await sessions.append("a", "events", [1]);
			let started = false;
			const following = (async () => {
				for await (const _ of sessions.follow("a", "events")) started = true;
			})();
			const ended = expectError(following, "closed");
			await eventually(() => started);
			await store.close();
			await ended;
			await expectError(sessions.get("a"), "closed");
		});
	});
}
