// An MCP server with one tool, getFormSnapshot, that answers after WAIT_MS.
import { setTimeout as sleep } from "node:timers/promises";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import * as z from "zod";

const server = new McpServer({ name: "slow", version: "1.0.0" });
server.registerTool(
	"getFormSnapshot",
	{ description: "Reads the form.", inputSchema: { instruction: z.string() } },
	async ({ instruction }) => {
		await sleep(Number(process.env.WAIT_MS));
		return { content: [{ type: "text", text: `${instruction} after a wait` }] };
	},
);
await server.connect(new StdioServerTransport());
