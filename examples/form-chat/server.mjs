// A page with a chat and a form that the agent fills in: this is all that its server does.
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { createMemorySessions, giselle } from "@giselles-ai/giselle-provider";
import { consumeStream, convertToModelMessages, jsonSchema, streamText, tool } from "ai";
import { build } from "esbuild";

const { KEY, AGENT_API_URL = "http://127.0.0.1:3000", PORT = "5000" } = process.env;

const model = giselle({
	cloudApiUrl: AGENT_API_URL,
	headers: { authorization: `Bearer ${KEY}` },
	sessions: createMemorySessions(), // Leave it out, with REDIS_URL set, for more than one process.
});
const inThePage = tool({ inputSchema: jsonSchema({ type: "object" }) }); // Without `execute`.
const tools = { getFormSnapshot: inThePage, executeFormActions: inThePage };

async function chat(request, response) {
	const { id, messages } = JSON.parse(await text(request));
	const result = streamText({
		model,
		tools,
		messages: await convertToModelMessages(messages, { tools }),
		providerOptions: { giselle: { chatId: id } },
	});
	// A page that goes away stops nothing.
	const options = { originalMessages: messages, consumeSseStream: consumeStream };
	result.pipeUIMessageStreamToResponse(response, options);
}

const { outputFiles } = await build({
	entryPoints: [fileURLToPath(new URL("page.jsx", import.meta.url))],
	bundle: true,
	write: false,
	jsx: "automatic",
	define: { "process.env.NODE_ENV": '"production"' },
});
const page = `<!doctype html><html lang="en"><title>Form chat</title><main></main><script type="module">
${outputFiles[0].text.replaceAll("</script", "<\\/script")}</script></html>`;

const server = createServer((request, response) => {
	if (request.url === "/api/chat") return chat(request, response);
	response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
});
server.listen(PORT, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
