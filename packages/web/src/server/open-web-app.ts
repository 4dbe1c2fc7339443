import { existsSync } from "node:fs";
import type { RequestListener, Server } from "node:http";
import { fileURLToPath } from "node:url";
import { setHost } from "../host/host";
import type { WebHost } from "../host/web-host";
import { PEER_HEADER } from "../visitors/caller-address";
import { withoutChatter } from "./without-chatter";

export interface WebApp {
	/** Serves a page, or one of the app's routes. */
	readonly handle: RequestListener;
	close(): Promise<void>;
}

interface OpenWebAppOptions {
	/** The server that requests come from. */
	server: Server;
	/** Where it listens. */
	host: string;
	port: number;
	/** Compiles pages as they change. */
	dev?: boolean;
}

/** The folder of the built app, seen from `dist`. */
const FOLDER = fileURLToPath(new URL("..", import.meta.url));

/** Starts the Next.js app inside this process, on a server that is there already. */
export async function openWebApp(host: WebHost, options: OpenWebAppOptions): Promise<WebApp> {
	const { server, port, dev = false } = options;
	if (!dev && !existsSync(`${FOLDER}.next/BUILD_ID`)) {
		throw new Error("The web app is not built: run `pnpm build`, or set BATON_WEB=off.");
	}
	setHost(host);
	process.env.NEXT_TELEMETRY_DISABLED = "1";
	const { default: next } = await import("next");
	const app = next({
		dev,
		dir: FOLDER,
		hostname: options.host,
		port,
		httpServer: server,
		quiet: true,
	});
	await withoutChatter(console, () => app.prepare());
	const handle = app.getRequestHandler();
	return {
		handle: (incoming, outgoing) => {
			// A route sees headers alone. Whatever a caller wrote there is gone.
			incoming.headers[PEER_HEADER] = incoming.socket.remoteAddress ?? "";
			handle(incoming, outgoing).catch(() => outgoing.destroy());
		},
		close: () => app.close(),
	};
}
