// A process that serves turns of the provider, as a web server does: POST {prompt, giselle} and get
// the parts of the stream as JSON lines. Its sessions are on the Redis of its environment.
import { createServer } from "node:http";
import { giselle } from "../../dist/index.js";

const model = giselle({
	cloudApiUrl: process.env.AGENT_API_URL,
	headers: { authorization: `Bearer ${process.env.AGENT_API_KEY}` },
});

const server = createServer(async (request, response) => {
	let body = "";
	for await (const chunk of request) body += chunk;
	const { prompt, giselle: options } = JSON.parse(body);
	const line = (value) => response.write(`${JSON.stringify(value)}\n`);
	try {
		const { stream } = await model.doStream({ prompt, providerOptions: { giselle: options } });
		for await (const part of stream) {
			line(part.type === "error" ? { ...part, code: part.error.code } : part);
		}
	} catch (error) {
		line({ type: "refused", code: error.code ?? error.name, message: error.message });
	}
	response.end();
});
server.listen(0, "127.0.0.1", () => {
	process.stdout.write(`listening ${server.address().port}\n`);
});
