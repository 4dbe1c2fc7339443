import { createServer } from "node:net";
import { z } from "zod";
import type { Config } from "../config/config";
import { urlOf } from "../http/listen";
import type { Check } from "./check";

const healthSchema = z.object({
	status: z.string(),
	uptime: z.number(),
	service: z.literal("baton"),
});

interface ServerCheck extends Check {
	/** Whether a Baton answers there now. */
	running: boolean;
}

/** Whether the port is free, or already served by Baton. */
export async function checkServer({ host, port }: Config): Promise<ServerCheck> {
	const name = "server";
	const refused = port === 0 ? null : await tryToListen(host, port);
	if (refused === null) {
		return { name, status: "ok", detail: `${host}:${port} is free`, running: false };
	}
	const url = urlOf(host, port);
	const health = refused === "EADDRINUSE" ? await readHealth(url) : null;
	if (!health) {
		const detail =
			refused === "EADDRINUSE"
				? `${host}:${port} is taken by another program; set BATON_PORT`
				: `cannot listen on ${host}:${port} (${refused}); correct BATON_HOST and BATON_PORT`;
		return { name, status: "fail", detail, running: false };
	}
	const detail = `Baton answers at ${url}, ${health.status}, for ${health.uptime} s`;
	return { name, status: "ok", detail, running: true };
}

function tryToListen(host: string, port: number): Promise<string | null> {
	return new Promise((resolve) => {
		const server = createServer();
		server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
		server.listen(port, host, () => server.close(() => resolve(null)));
	});
}

async function readHealth(url: string): Promise<z.infer<typeof healthSchema> | null> {
	try {
		const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(2_000) });
		return healthSchema.parse(await response.json());
	} catch {
		return null;
	}
}
