import { createServer } from "node:net";
import { z } from "zod";
import type { Config } from "../config/config";
import { urlOf } from "../http/listen";
import { readServerFile } from "../start/server-file";
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
export async function checkServer({ host, port, dataDir }: Config): Promise<ServerCheck> {
	const name = "server";
	const said = (await readServerFile(dataDir))?.url;
	const found = said === undefined ? null : await readHealth(said);
	if (said !== undefined && found) return { name, ...answers(said, found) };
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
	return { name, ...answers(url, health) };
}

function answers(url: string, { status, uptime }: z.infer<typeof healthSchema>) {
	const detail = `Baton answers at ${url}, ${status}, for ${uptime} s`;
	return { status: "ok", detail, running: true } as const;
}

function tryToListen(host: string, port: number): Promise<string | null> {
	return new Promise((resolve) => {
		const server = createServer();
		server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
		server.listen(port, host, () => server.close(() => resolve(null)));
	});
}

/** What a Baton says of itself at an address; null when none answers there. */
export async function readHealth(url: string): Promise<z.infer<typeof healthSchema> | null> {
	try {
		const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(2_000) });
		return healthSchema.parse(await response.json());
	} catch {
		return null;
	}
}
