import { HOST_KEY, type WebHost } from "./web-host";

type HostGlobal = { [HOST_KEY]?: WebHost | Promise<WebHost> };

export function setHost(host: WebHost): void {
	(globalThis as HostGlobal)[HOST_KEY] = host;
}

export async function getHost(): Promise<WebHost> {
	const holder = globalThis as HostGlobal;
	holder[HOST_KEY] ??= openDeployedHost().catch((error: unknown) => {
		// What was missing at the first request may be there at the next.
		delete holder[HOST_KEY];
		throw error;
	});
	return holder[HOST_KEY];
}

async function openDeployedHost(): Promise<WebHost> {
	const { createDeployedHost } = await import("./deployed-host");
	return createDeployedHost(process.env);
}
