import { describe, expect, it } from "vitest";
import type { ContractContext } from "./contract-subject";
import { expectError } from "./observe";

export function recordsContract({ open }: ContractContext): void {
	describe("records", () => {
		it("returns what was created", async () => {
			const sessions = (await open()).store.collection("sessions");
			const created = await sessions.create("a", { title: "one" }, { group: "ada", createdAt: 5 });
			expect(created).toEqual({
				id: "a",
				value: { title: "one" },
				version: 1,
				aliases: [],
				group: "ada",
				createdAt: 5,
				updatedAt: 5,
				ttlMs: null,
			});
			expect(await sessions.get("a")).toEqual(created);
		});

		it("reads an unknown id and an unknown alias as null", async () => {
			const sessions = (await open()).store.collection("sessions");
			expect(await sessions.get("nobody")).toBeNull();
			expect(await sessions.find("nobody")).toBeNull();
		});

		it("refuses a second record with the same id and keeps the first", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", { n: 1 });
			await expectError(sessions.create("a", { n: 2 }, { aliases: ["x"] }), "already_exists");
			expect((await sessions.get("a"))?.value).toEqual({ n: 1 });
			expect(await sessions.find("x")).toBeNull();
		});

		it("keeps collections apart", async () => {
			const { store } = await open();
			await store.collection("sessions").create("a", { n: 1 }, { aliases: ["x"] });
			expect(await store.collection("others").get("a")).toBeNull();
			expect(await store.collection("others").find("x")).toBeNull();
			await store.collection("others").create("a", { n: 2 }, { aliases: ["x"] });
			expect((await store.collection("sessions").find("x"))?.value).toEqual({ n: 1 });
		});

		it("updates the value, the version and the time", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", { n: 1, keep: true }, { createdAt: 5 });
			const updated = await sessions.update("a", (value) => ({ ...value, n: 2 }));
			expect(updated).toMatchObject({ value: { n: 2, keep: true }, version: 2, createdAt: 5 });
			expect(updated.updatedAt).toBeGreaterThan(5);
			expect(await sessions.get("a")).toEqual(updated);
		});

		it("leaves the record alone when the change throws", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", { n: 1 });
			const failing = sessions.update("a", () => {
				throw new Error("no");
			});
			await expect(failing).rejects.toThrow("no");
			expect(await sessions.get("a")).toMatchObject({ value: { n: 1 }, version: 1 });
		});

		it("refuses to change what is not there", async () => {
			const sessions = (await open()).store.collection("sessions");
			await expectError(
				sessions.update("a", (value) => value),
				"not_found",
			);
			await expectError(sessions.increment("a", "n"), "not_found");
			await expectError(sessions.append("a", "events", [1]), "not_found");
			await expectError(sessions.read("a", "events"), "not_found");
			await expectError(sessions.tail("a", "events", 1), "not_found");
			await expectError(sessions.trim("a", "events", 1), "not_found");
			await expectError(sessions.state("a", "events"), "not_found");
			await expectError(sessions.takeLease("a", { holder: "h", ttlMs: 1000 }), "not_found");
			await expectError(sessions.setAlarm("a", 1), "not_found");
		});

		it("finds a record by each of its aliases", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", { n: 1 }, { aliases: ["chat 1", "ünï/…"] });
			await sessions.update("a", (value) => value, { addAliases: ["task-2", "chat 1"] });
			for (const alias of ["chat 1", "ünï/…", "task-2"]) {
				expect((await sessions.find(alias))?.id).toBe("a");
			}
			expect((await sessions.get("a"))?.aliases).toEqual(["chat 1", "ünï/…", "task-2"]);
		});

		it("refuses an alias of another live record, and changes nothing", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {}, { aliases: ["x"] });
			await expectError(sessions.create("b", {}, { aliases: ["y", "x"] }), "already_exists");
			expect(await sessions.get("b")).toBeNull();
			expect(await sessions.find("y")).toBeNull();
			await sessions.create("c", { n: 1 });
			const taking = sessions.update("c", () => ({ n: 2 }), { addAliases: ["z", "x"] });
			await expectError(taking, "already_exists");
			expect((await sessions.get("c"))?.value).toEqual({ n: 1 });
			expect(await sessions.find("z")).toBeNull();
			expect((await sessions.find("x"))?.id).toBe("a");
		});

		it("lets an alias go, and another record take it", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {}, { aliases: ["x", "y"] });
			await sessions.update("a", (value) => value, { removeAliases: ["x"] });
			expect(await sessions.find("x")).toBeNull();
			expect((await sessions.find("y"))?.id).toBe("a");
			await sessions.create("b", {}, { aliases: ["x"] });
			expect((await sessions.find("x"))?.id).toBe("b");
		});

		it("deletes everything of a session, once and again", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {}, { aliases: ["x"] });
			await sessions.append("a", "events", [1, 2]);
			await sessions.increment("a", "n");
			await sessions.delete("a");
			await sessions.delete("a");
			expect(await sessions.get("a")).toBeNull();
			expect(await sessions.find("x")).toBeNull();
			expect((await sessions.list()).records).toEqual([]);
			await sessions.create("a", {});
			expect(await sessions.increment("a", "n")).toBe(1);
			expect((await sessions.state("a", "events")).last).toBe(0);
		});

		it("counts from one, each counter for itself", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			await sessions.create("b", {});
			expect(await sessions.increment("a", "n")).toBe(1);
			expect(await sessions.increment("a", "n")).toBe(2);
			expect(await sessions.increment("a", "other")).toBe(1);
			expect(await sessions.increment("b", "n")).toBe(1);
		});
	});
}
