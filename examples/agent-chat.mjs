import { giselle } from "@giselles-ai/giselle-provider";
import { jsonSchema, streamText, tool } from "ai";

const [chatId, content] = process.argv.slice(2);
const { KEY, AGENT_API_URL: cloudApiUrl = "http://127.0.0.1:3000" } = process.env;
const model = giselle({ cloudApiUrl, headers: { authorization: `Bearer ${KEY}` } });
const tools = { getFormSnapshot: tool({ inputSchema: jsonSchema({ type: "object" }) }) };
const providerOptions = { giselle: { chatId, idempotencyKey: `${chatId}:${content}` } };
const messages = [{ role: "user", content }];
for (;;) {
	const turn = streamText({ model, tools, messages, providerOptions });
	for await (const text of turn.textStream) process.stdout.write(text);
	messages.push(...(await turn.response).messages);
	const calls = (await turn.toolCalls).filter(({ providerExecuted }) => !providerExecuted);
	const { resume } = (await turn.providerMetadata).giselle;
	if (calls.length === 0 || resume === "new") process.exit(); // The next process answers what a new turn asks.
	const output = { type: "json", value: { fields: [] } };
	const answers = calls.map((call) => ({ ...call, type: "tool-result", output }));
	messages.push({ role: "tool", content: answers });
}
