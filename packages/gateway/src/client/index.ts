import { GatewayClient, type GatewayClientOptions } from "./gateway-client";
import type { SocketConstructor } from "./wire-types";

export type { GatewayClient, GatewayClientOptions } from "./gateway-client";
export { GatewayError } from "./gateway-error";
export type { ConnectionState } from "./link";
export type { SubscribeOptions, SubscriptionHandle } from "./subscriptions";
export type { GatewayEvent, Method, Params, Result } from "./wire-types";

/** A client with the WebSocket of the browser, or of a Node that has one. */
export function connectGateway(options: GatewayClientOptions): GatewayClient {
	const { WebSocket } = globalThis as { WebSocket?: SocketConstructor };
	const chosen = options.WebSocket ?? WebSocket;
	if (!chosen) throw new Error("There is no WebSocket here; pass one as an option.");
	return new GatewayClient({ ...options, WebSocket: chosen });
}
