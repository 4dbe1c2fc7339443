import WebSocket from "ws";
import { GatewayClient, type GatewayClientOptions } from "./gateway-client";
import type { SocketConstructor } from "./wire-types";

export type { GatewayClient, GatewayClientOptions } from "./gateway-client";
export { GatewayError } from "./gateway-error";
export type { ConnectionState } from "./link";
export type { SubscribeOptions, SubscriptionHandle } from "./subscriptions";
export type { GatewayEvent, Method, Params, Result } from "./wire-types";

/** A client with the WebSocket of `ws`, which every supported Node can run. */
export function connectGateway(options: GatewayClientOptions): GatewayClient {
	const chosen = options.WebSocket ?? (WebSocket as unknown as SocketConstructor);
	return new GatewayClient({ ...options, WebSocket: chosen });
}
