import { createGateway, sessionsIn } from "@baton/gateway";
import { stopAccepting } from "../http/close-server";
import { listen } from "../http/listen";
import { openGatewayTokens } from "../keys/gateway-tokens";
import { addressesOf } from "../start/addresses";
import { VERSION } from "../version";
import type { Door, Parts } from "./door";

/** The gateway: chats over WebSocket, on a port of its own. */
export async function openGatewayDoor(parts: Parts): Promise<Door> {
	const { config, keys, log, sessions, turns, workspace, hide } = parts;
	const { tokens, token, path, made } = await openGatewayTokens(config, keys);
	hide(token);
	const gateway = createGateway({
		turns,
		sessions,
		agents: workspace,
		tokens,
		log,
		version: VERSION,
		sessionsDir: sessionsIn(config.dataDir),
		origins: config.corsOrigins,
		hosts: [config.gateway.host, ...(config.publicUrl ? [new URL(config.publicUrl).hostname] : [])],
	});
	const { server, url } = await listen(gateway.listener, addressesOf(config).gateway);
	gateway.attach(server);
	const address = url.replace(/^http/, "ws");
	const shown = made ? token : path ? `<the token in ${path}>` : "<PROJ_JARVIS_TOKEN>";
	let http: ReturnType<typeof stopAccepting> | undefined;
	return {
		name: "Gateway",
		url: address,
		tryIt: `npx wscat -c ${address}   then  {"type":"auth","token":"${shown}"}`,
		stopAccepting() {
			gateway.stopAccepting();
			http = stopAccepting(server);
		},
		async finish(graceMs) {
			await gateway.finish(graceMs);
			await (http ?? stopAccepting(server)).finish(graceMs);
		},
	};
}
