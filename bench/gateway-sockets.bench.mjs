// What one idle, authenticated socket weighs in the server, against one of `ws` alone.
import { forkServer, openSockets } from "./gateway-parts.mjs";
import { compare, ratioRow } from "./measure.mjs";

export async function run({ quick }) {
	const count = quick ? 300 : 2_000;
	const ours = await forkServer("./gateway-server.mjs", JSON.stringify({ driver: "memory" }));
	const peer = await forkServer("./bare-ws-server.mjs");
	const result = await compare({
		rounds: quick ? 3 : 5,
		warmups: 1,
		ours: () => weigh(ours, count),
		peer: () => weigh(peer, count),
	});
	await Promise.all([ours.stop(), peer.stop()]);
	return [
		ratioRow(
			{
				work: `${count.toLocaleString("en")} idle sockets`,
				measure: "memory of one ÷ a bare ws server's",
				unit: "kB",
				reach: 1.5,
			},
			result,
		),
	];
}

/** Kilobytes that the server holds more for each socket. */
async function weigh(server, count) {
	const before = await server.memory();
	const sockets = await openSockets(server.url, count);
	const held = (await server.memory()) - before;
	await Promise.all(
		sockets.map((socket) => {
			const closed = new Promise((resolve) => socket.once("close", resolve));
			socket.close();
			return closed;
		}),
	);
	return held / count / 1_000;
}
