import { expect, it } from "vitest";
import type { Collection } from "../../src";
import { spawnOnFolder } from "./child";
import { dataFolder } from "./data-folder";

const KILLS = process.env.BATON_FULL ? 200 : 20;
const MOST_ACKS = 60;

/** Appends batches of all sizes, each event saying its place, and says what was acknowledged. */
const WRITER = `
	const sessions = (await openFilesStore({ dir })).collection("sessions");
	if (!(await sessions.get("a"))) await sessions.create("a", {});
	let { last } = await sessions.state("a", "events");
	let run = (await sessions.state("a", "events")).registers.run ?? null;
	const random = (n) => Math.floor(Math.random() * n);
	for (;;) {
		const size = 1 + random(20);
		const pad = "ü".repeat(random(10) === 0 ? 50_000 : random(300));
		const batch = Array.from({ length: size }, (_, i) => ({ seq: last + 1 + i, first: last + 1, last: last + size, pad }));
		const options = random(3) === 0 ? {} : {
			once: { key: "batch-" + (last + 1), body: last + 1 },
			swap: { register: "run", from: run, to: "after-" + (last + size) },
		};
		const appended = await sessions.append("a", "events", batch, options);
		if (options.swap) run = options.swap.to;
		last = appended.last;
		say("ack " + last + " " + (options.once ? appended.first : 0) + " end");
	}
`;

interface Place {
	seq: number;
	first: number;
	last: number;
}

it(`loses nothing that was acknowledged when it is killed ${KILLS} times`, {
	timeout: KILLS * 5_000,
}, async () => {
	const folder = await dataFolder();
	let verified = 0;
	for (let kill = 1; kill <= KILLS; kill++) {
		const { acked, once } = await runUntilKilled(folder.dir);
		const sessions = await folder.open();
		// Everything again at the end; until then what is new.
		const places = await readPlaces(sessions, kill === KILLS ? 0 : verified);
		const { last, registers } = await sessions.state("a", "events");
		verified = places.at(-1)?.seq ?? verified;
		expect(verified).toBe(last);
		expect(last).toBeGreaterThanOrEqual(acked);
		// Every batch is whole: the events of one say where it begins and ends.
		const broken = places.filter(
			(place, i) => i > 0 && place.first !== places[i - 1]?.first && place.first !== place.seq,
		);
		expect(broken).toEqual([]);
		expect(places.at(-1)?.last ?? last).toBe(last);
		if (once > 0) {
			const body = { once: { key: `batch-${once}`, body: once } };
			const again = await sessions.append("a", "events", ["again"], body);
			expect(again).toMatchObject({ first: once, repeated: true });
		}
		const run = Number(registers.run?.slice("after-".length) ?? 0);
		expect(run).toBeLessThanOrEqual(last);
		expect(run).toBeGreaterThanOrEqual(once);
		for (const { kind } of folder.problems) {
			expect(["torn-line", "incomplete-batch"]).toContain(kind);
		}
		await folder.close();
	}
});

/** The last number that was acknowledged, and the first of the last batch that had a key. */
async function runUntilKilled(dir: string): Promise<{ acked: number; once: number }> {
	const writer = spawnOnFolder(dir, WRITER);
	const enough = 1 + Math.floor(Math.random() * MOST_ACKS);
	for (let acks = 0; acks < enough; acks++) await writer.waitForLine("ack ");
	await writer.stop();
	let [acked, once] = [0, 0];
	for await (const line of writer.lines) {
		const [, last, first] = /^ack (\d+) (\d+) end$/.exec(line) ?? [];
		acked = Number(last ?? acked);
		once = Number(first ?? 0) || once;
	}
	return { acked, once };
}

/** The events after a number, each of which says its own. */
async function readPlaces(sessions: Collection, after: number): Promise<Place[]> {
	const places: Place[] = [];
	for (;;) {
		const { entries } = await sessions.read("a", "events", { after: after + places.length });
		if (entries.length === 0) return places;
		for (const { seq, event } of entries) {
			const place = event as unknown as Place;
			if (place.seq !== seq) throw new Error(`Event ${seq} says that it is ${place.seq}.`);
			places.push(place);
		}
	}
}
