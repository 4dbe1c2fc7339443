import { fileURLToPath } from "node:url";

export { createBrowserToolServer } from "./browser-tool-server";
export { createDispatch, type Dispatch, RelayCallError } from "./relay-client";
export { type RelaySettings, readRelaySettings } from "./relay-settings";

/** The program to start with `node`, for whoever configures an MCP client. */
export const mcpServerPath = fileURLToPath(new URL("./server.js", import.meta.url));
