// `chat.history` of a conversation of 100 MB, over the socket. The peer reads its file, splits it,
// parses every line and takes the last ones.
import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempDir } from "@baton/testkit";
import { call, forkServer, openSocket } from "./gateway-parts.mjs";
import { compare, medianOf, ratioRow, timed } from "./measure.mjs";

const LIMIT = 100;

export async function run({ quick }) {
	const megabytes = quick ? 20 : 100;
	const folder = await tempDir("baton-bench");
	const dir = join(folder.path, "sessions");
	const key = randomUUID();
	const file = join(dir, `${key}.jsonl`);
	await mkdir(dir);
	const meta = { key, agentId: "assistant", createdAt: 1, updatedAt: 1 };
	await writeFile(join(dir, `${key}.meta.json`), JSON.stringify(meta));
	await writeTranscript(file, megabytes * 1024 * 1024);
	const ours = await forkServer(
		"./gateway-server.mjs",
		JSON.stringify({ driver: "files", dir: folder.path }),
	);
	const socket = await openSocket(ours.url);
	const result = await compare({
		rounds: quick ? 5 : 7,
		ours: () =>
			medianOf(20, () =>
				timed(async () => {
					const { messages } = await call(socket, "chat.history", {
						sessionKey: key,
						limit: LIMIT,
					});
					if (messages.length !== LIMIT) throw new Error(`${messages.length} messages came`);
				}),
			),
		peer: () => timed(() => readAll(file)),
	});
	socket.terminate();
	await ours.stop();
	await folder.remove();
	const reach = quick ? 1 / 40 : 1 / 200;
	return [
		ratioRow(
			{
				work: `chat.history {limit: ${LIMIT}} of ${megabytes} MB`,
				measure: "time ÷ read, split, parse it all",
				reach,
				shownReach: `1/${1 / reach}`,
			},
			result,
		),
	];
}

async function writeTranscript(path, bytes) {
	const file = await open(path, "w");
	const pad = "word ".repeat(40);
	let row = 0;
	for (let written = 0; written < bytes; ) {
		let chunk = "";
		for (let i = 0; i < 1_000; i++) {
			const role = row % 2 ? "assistant" : "user";
			chunk += `${JSON.stringify({ role, content: `${++row} ${pad}`, timestamp: row })}\n`;
		}
		await file.write(chunk);
		written += chunk.length;
	}
	await file.close();
}

async function readAll(path) {
	const lines = (await readFile(path, "utf8")).split("\n").filter(Boolean);
	return lines.map((line) => JSON.parse(line)).slice(-LIMIT);
}
