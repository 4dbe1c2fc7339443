import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import WebSocket from "ws";

/** Starts a server of this folder, and asks it what it holds. */
export async function forkServer(file, ...args) {
	const child = fork(fileURLToPath(new URL(file, import.meta.url)), args, {
		execArgv: ["--expose-gc"],
		stdio: ["ignore", 2, 2, "ipc"],
	});
	const ended = once(child, "exit").then(() => {
		throw new Error(`${file} ended`);
	});
	ended.catch(() => {});
	const next = async () => (await Promise.race([once(child, "message"), ended]))[0];
	const { port } = await next();
	return {
		url: `ws://127.0.0.1:${port}`,
		async memory() {
			child.send("memory");
			return (await next()).memory;
		},
		async stop() {
			child.kill("SIGKILL");
			await ended.catch(() => {});
		},
	};
}

/** A socket that is authenticated. */
export async function openSocket(url) {
	const socket = new WebSocket(url);
	await once(socket, "open");
	socket.send('{"type":"auth","token":"bench-token"}');
	await once(socket, "message");
	return socket;
}

/** Opens many, some at a time. */
export async function openSockets(url, count) {
	const sockets = [];
	while (sockets.length < count) {
		const some = Array.from({ length: Math.min(50, count - sockets.length) }, () =>
			openSocket(url),
		);
		sockets.push(...(await Promise.all(some)));
	}
	return sockets;
}

/** One call on a socket that nothing else uses. */
export async function call(socket, method, params = {}) {
	socket.send(JSON.stringify({ id: "b", method, params }));
	for (;;) {
		const [data] = await once(socket, "message");
		const frame = JSON.parse(data.toString());
		if (frame.id !== "b") continue;
		if (frame.error) throw new Error(`${method}: ${frame.error.message}`);
		return frame.result;
	}
}
