// The first page of `sessions.list` with 10,000 sessions, against the same page with 10.
import { openFilesStore } from "@baton/session/files";
import { tempDir } from "@baton/testkit";
import { call, forkServer, openSocket } from "./gateway-parts.mjs";
import { compare, medianOf, ratioRow, timed } from "./measure.mjs";

const PAGE = 10;
const AT_ONCE = 64;

export async function run({ quick }) {
	const many = quick ? 1_000 : 10_000;
	const few = await openGateway(PAGE);
	const crowd = await openGateway(many);
	const page = (socket) =>
		medianOf(20, () =>
			timed(async () => {
				const { sessions } = await call(socket, "sessions.list", { limit: PAGE });
				if (sessions.length !== PAGE) throw new Error(`${sessions.length} sessions came`);
			}),
		);
	const result = await compare({
		rounds: quick ? 5 : 9,
		ours: () => page(crowd.socket),
		peer: () => page(few.socket),
	});
	await Promise.all([few.stop(), crowd.stop()]);
	return [
		ratioRow(
			{
				work: `sessions.list {limit: ${PAGE}} of ${many.toLocaleString("en")}`,
				measure: `time ÷ with ${PAGE} sessions`,
				reach: 2,
			},
			result,
		),
	];
}

async function openGateway(count) {
	const folder = await tempDir("baton-bench");
	await fill(folder.path, count);
	const server = await forkServer(
		"./gateway-server.mjs",
		JSON.stringify({ driver: "files", dir: folder.path }),
	);
	const socket = await openSocket(server.url);
	return {
		socket,
		async stop() {
			socket.terminate();
			await server.stop();
			await folder.remove();
		},
	};
}

async function fill(dir, count) {
	const store = await openFilesStore({ dir, fsync: "never" });
	const sessions = store.collection("sessions");
	let next = 0;
	const create = async () => {
		while (next < count) {
			const createdAt = 1_700_000_000_000 + next++;
			const key = crypto.randomUUID();
			const value = { key, agentId: "assistant", createdAt, updatedAt: createdAt, owner: "local" };
			await sessions.create(key, value, { group: "local", createdAt });
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, create));
	await store.close();
}
