// One answer, token by token, to 100 sockets that subscribe to its session. The peer is `ws` alone,
// which sends frames of the same size to the same number of sockets.
import { call, forkServer, openSocket, openSockets } from "./gateway-parts.mjs";
import { compare, timed } from "./measure.mjs";

const SOCKETS = 100;
const REACH = 0.7;

export async function run({ quick }) {
	const frames = quick ? 500 : 2_000;
	const ours = await forkServer("./gateway-server.mjs", JSON.stringify({ driver: "memory" }));
	const peer = await forkServer("./bare-ws-server.mjs");
	const sender = await openSocket(ours.url);
	const { sessionKey } = await call(sender, "sessions.create");
	const subscribed = await openSockets(ours.url, SOCKETS);
	for (const socket of subscribed) await call(socket, "chat.subscribe", { sessionKey });
	const listening = await openSockets(peer.url, SOCKETS);
	const frame = JSON.stringify({
		event: "chat.delta",
		data: { text: "w000000 ", sessionKey, runId: sessionKey, seq: 123_456 },
	});
	const result = await compare({
		rounds: quick ? 5 : 9,
		ours: () =>
			timed(async () => {
				const params = { sessionKey, message: `/stream ${frames} words` };
				const all = Promise.all(subscribed.map((socket) => untilFinal(socket, frames)));
				sender.send(JSON.stringify({ id: "s", method: "chat.send", params }));
				await all;
			}),
		peer: () =>
			timed(async () => {
				const all = Promise.all(listening.map((socket) => untilFinal(socket, frames)));
				listening[0].send(JSON.stringify({ frame, count: frames }));
				await all;
			}),
	});
	await Promise.all([ours.stop(), peer.stop()]);
	const perSecond = (ms) => (frames * SOCKETS * 1_000) / ms;
	const ratio = 1 / result.ratio;
	return [
		{
			work: `${frames.toLocaleString("en")} deltas to ${SOCKETS} sockets`,
			measure: "frames/s ÷ a bare ws broadcast",
			unit: "/s",
			ours: perSecond(result.ours),
			peer: perSecond(result.peer),
			ratio,
			reach: `≥ ${REACH}`,
			pass: ratio >= REACH,
		},
	];
}

/** Counts the deltas that come; all of them must, none merged. */
function untilFinal(socket, expected) {
	return new Promise((resolve, reject) => {
		let deltas = 0;
		const take = (data) => {
			const kind = data.toString("latin1", 9, 21);
			if (kind.startsWith('"chat.delta"')) deltas++;
			else if (kind.startsWith('"chat.final"')) {
				socket.off("message", take);
				if (deltas === expected) resolve();
				else reject(new Error(`${deltas} deltas came, not ${expected}`));
			}
		};
		socket.on("message", take);
		socket.once("close", () => reject(new Error("a socket was closed")));
	});
}
