import { expect, it } from "vitest";
import { spawnOnFolder } from "./child";
import { dataFolder, events } from "./data-folder";

const LEASE_MS = 400;

it("writes nothing under a lease that ran out while its holder was stopped", async () => {
	const folder = await dataFolder();
	const holder = spawnOnFolder(
		folder.dir,
		`
		const store = await openFilesStore({ dir });
		const sessions = store.collection("sessions");
		await sessions.create("a", {});
		const lease = await sessions.takeLease("a", { holder: "one", ttlMs: ${LEASE_MS} });
		// Renewed in time, the lease would last for ever: only the stop can end it.
		const renewing = setInterval(() => sessions.renewLease(lease).catch(() => clearInterval(renewing)), ${LEASE_MS / 10});
		let before = performance.now();
		for (;;) {
			const now = performance.now();
			const slept = now - before > ${LEASE_MS};
			before = now;
			try {
				const { last } = await sessions.append("a", "events", [{ slept }], { lease });
				if (last === 1) say("appending");
			} catch (error) {
				const next = await sessions.takeLease("a", { holder: "two", ttlMs: 60_000 });
				await sessions.append("a", "events", ["by the next holder"], { lease: next });
				await store.close();
				say("ended " + error.code + " " + (next.token > lease.token));
				break;
			}
		}
	`,
	);
	await holder.waitForLine("appending");
	holder.kill("SIGSTOP");
	const stopped = performance.now();
	await expect.poll(() => performance.now() - stopped).toBeGreaterThan(2 * LEASE_MS);
	holder.kill("SIGCONT");
	expect(await holder.waitForLine("ended")).toBe("ended lease_lost true");
	await holder.exited;
	const written = (await events(await folder.open(), "a", "events")).map(([, event]) => event);
	expect(written.at(-1)).toBe("by the next holder");
	expect(written.slice(0, -1).every((event) => (event as { slept: boolean }).slept === false)).toBe(
		true,
	);
});
