import { once } from "node:events";
import { createServer } from "node:net";
import { expect, it } from "vitest";
import { freePort } from "../src";

it("gives ports that can be listened on, each once", async () => {
	const ports = await Promise.all(Array.from({ length: 50 }, freePort));
	const server = createServer().listen(ports[0], "127.0.0.1");
	await once(server, "listening");
	server.close();

	expect(new Set(ports).size).toBe(50);
	expect(Math.max(...ports)).toBeLessThan(22_768); // Its cluster bus port is not an ephemeral one.
});
