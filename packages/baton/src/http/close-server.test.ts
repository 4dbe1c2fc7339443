import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { afterEach, expect, it } from "vitest";
import { stopAccepting } from "./close-server";

let server: Server;
let client: Socket;
let upgraded: Duplex;
afterEach(() => {
	client.destroy();
	upgraded.destroy();
});

it("a socket that left HTTP and stays open does not hold up the end", async () => {
	server = createServer();
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const upgrade = once(server, "upgrade");
	const { port } = server.address() as AddressInfo;
	client = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
	client.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
	[, upgraded] = (await upgrade) as [unknown, Duplex];
	await stopAccepting(server).finish(50);
	expect(server.listening).toBe(false);
	expect(upgraded.destroyed).toBe(false);
}, 10_000);
