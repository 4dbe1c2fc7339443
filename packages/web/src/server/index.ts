export type { WebHost } from "../host/web-host";
export { openCookieSecret } from "../visitors/cookie-secret";
export { Visitors } from "../visitors/visitors";
export { openWebApp, type WebApp } from "./open-web-app";
