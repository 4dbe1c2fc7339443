export type { WebHost } from "../host/web-host";
export { callerAddress, PEER_HEADER } from "../visitors/caller-address";
export { openCookieSecret } from "../visitors/cookie-secret";
export { Newcomers } from "../visitors/newcomers";
export { Visitors } from "../visitors/visitors";
export { openWebApp, type WebApp } from "./open-web-app";
