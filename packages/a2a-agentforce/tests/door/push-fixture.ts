import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import type { TaskPushNotificationConfig } from "@a2a-js/sdk";
import type { Agent } from "@baton/agent";
import { afterEach } from "vitest";

export interface Post {
	headers: IncomingHttpHeaders;
	body: Record<string, unknown>;
}

/** A receiver that answers with these statuses, then with 200. */
export async function startReceiver(...statuses: (number | "redirect")[]) {
	const posts: Post[] = [];
	const server: Server = createServer(async (request, response) => {
		let text = "";
		for await (const piece of request) text += piece;
		posts.push({ headers: request.headers, body: JSON.parse(text || "{}") });
		const status = statuses.shift() ?? 200;
		if (status === "redirect") response.writeHead(307, { location: "/elsewhere" }).end();
		else response.writeHead(status).end();
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
	return { url, posts, close: () => server.close() };
}

/** A receiver that answers `101 Switching Protocols` and then says nothing. */
export async function startSwitching() {
	const sockets = new Set<Socket>();
	const server = createTcpServer((socket) => {
		sockets.add(socket);
		socket.on("error", () => {});
		const switched =
			"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n";
		socket.once("data", () => socket.write(switched));
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
	const close = () => {
		for (const socket of sockets) socket.destroy();
		server.close();
	};
	return { url, close };
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Asks once, then is content with anything. */
export const askingOnce: Agent = {
	name: "asking",
	recovery: "fail",
	async *run({ input }) {
		yield { type: "message", role: "assistant", content: "Cat or dog?" };
		if (input.content === "Ask me") yield { type: "input_required", reason: "inquire" };
		return undefined;
	},
};

export const FAST = { allowPrivate: true, retryMs: [20, 20, 20], sweepMs: 50 };

export function configOf(
	taskId: string,
	url: string,
	more: Partial<TaskPushNotificationConfig> = {},
) {
	return { tenant: "", taskId, id: "", url, token: "", authentication: undefined, ...more };
}

/** Starts receivers, closed after each test. Hooks go backwards: a door that is closed by a later one goes first. */
export function useReceivers() {
	const receivers: Receiver[] = [];
	afterEach(() => {
		for (const receiver of receivers.splice(0)) receiver.close();
	});
	return async (...statuses: (number | "redirect")[]) => {
		const receiver = await startReceiver(...statuses);
		receivers.push(receiver);
		return receiver;
	};
}

/** The states of a task that a receiver was told, in order. */
export const statesTo = ({ posts }: Receiver, taskId: string) =>
	posts.flatMap(({ body }) => {
		const { task, statusUpdate } = body as Record<
			string,
			{ id?: string; taskId?: string; status: { state: string } }
		>;
		const told = task ?? statusUpdate;
		return told && (told.id ?? told.taskId) === taskId ? [told.status.state] : [];
	});
