// Whether a store that holds many sessions still works as it did with few: the same appends to the
// same number of sessions, and the newest page, with 100 sessions and with 100,000.
import { openFilesStore } from "@baton/session/files";
import { openRedisStore } from "@baton/session/redis";
import { startRedis, tempDir } from "@baton/testkit";
import { deltaEvent } from "./events.mjs";
import { compare, ratioRow, timed } from "./measure.mjs";

const FEW = 100;
/** Sessions that are written to, in both stores; spread over all of them. */
const ACTIVE = 50;
const APPENDS = 20;
const PAGE = 50;
const AT_ONCE = 64;

export async function run({ quick }) {
	const many = quick ? 5_000 : 100_000;
	return [
		...(await withStores(openTwoFilesStores, many, (stores) => measure("files", stores, quick))),
		...(await withStores(openTwoRedisStores, many, (stores) => measure("Redis", stores, quick))),
	];
}

async function withStores(open, many, use) {
	const { few, crowd, close } = await open();
	try {
		return await use({ few: await fill(few, FEW), crowd: await fill(crowd, many), many });
	} finally {
		await close();
	}
}

async function openTwoFilesStores() {
	const folders = [await tempDir("baton-bench"), await tempDir("baton-bench")];
	const [few, crowd] = await Promise.all(folders.map(({ path }) => openFilesStore({ dir: path })));
	const close = async () => {
		await Promise.all([few.close(), crowd.close()]);
		await Promise.all(folders.map((folder) => folder.remove()));
	};
	return { few, crowd, close };
}

async function openTwoRedisStores() {
	const servers = [await startRedis(), await startRedis()];
	const [few, crowd] = await Promise.all(servers.map(({ url }) => openRedisStore({ url })));
	const close = async () => {
		await Promise.all([few.close(), crowd.close()]);
		await Promise.all(servers.map((server) => server.stop()));
	};
	return { few, crowd, close };
}

async function fill(store, count) {
	const sessions = store.collection("bench");
	let next = 0;
	const create = async () => {
		while (next < count) {
			const n = next++;
			await sessions.create(`session-${n}`, { title: `Session ${n}` }, { group: "owner" });
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, create));
	const active = Array.from(
		{ length: ACTIVE },
		(_, i) => `session-${Math.floor((i * count) / ACTIVE)}`,
	);
	return { sessions, active };
}

async function measure(driver, { few, crowd, many }, quick) {
	const rounds = quick ? 7 : 15;
	const against = `÷ the same with ${FEW}`;
	const count = many.toLocaleString("en");
	const appends = await compare({
		rounds,
		warmups: 3,
		ours: () => timed(() => appendToAll(crowd)),
		peer: () => timed(() => appendToAll(few)),
	});
	const lists = await compare({
		rounds,
		warmups: 3,
		ours: () => timed(() => listOften(crowd)),
		peer: () => timed(() => listOften(few)),
	});
	const work = (what) => `${what} with ${count} sessions, ${driver}`;
	return [
		ratioRow({ work: work("append"), measure: `time ${against}`, reach: 1.5 }, appends),
		ratioRow({ work: work(`list(${PAGE})`), measure: `time ${against}`, reach: 1.5 }, lists),
	];
}

async function appendToAll({ sessions, active }) {
	for (let n = 0; n < APPENDS; n++) {
		for (const id of active) await sessions.append(id, "events", [deltaEvent(n)]);
	}
}

async function listOften({ sessions }) {
	for (let n = 0; n < 20; n++) {
		const { records } = await sessions.list({ group: "owner", limit: PAGE });
		if (records.length !== PAGE) throw new Error(`list gave ${records.length} records`);
	}
}
