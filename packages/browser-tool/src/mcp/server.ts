#!/usr/bin/env node
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { createBrowserToolServer } from "./browser-tool-server";
import { createDispatch } from "./relay-client";
import { readRelaySettings } from "./relay-settings";

// Standard output belongs to the protocol; what a person should read goes to standard error.
try {
	const server = createBrowserToolServer(createDispatch(readRelaySettings(process.env)));
	await server.connect(new StdioServerTransport());
	// The client's end is ours: a call that still waits for a page must not keep the process.
	process.stdin.once("end", () => process.exit(0));
} catch (error) {
	console.error(`browser-tool-mcp: ${error instanceof Error ? error.message : String(error)}`);
	process.exitCode = 1;
}
