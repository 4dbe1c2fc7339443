import { giselle } from "@giselles-ai/giselle-provider";
import { jsonSchema, streamText, tool } from "ai";

const [chatId, content] = process.argv.slice(2);
const headers = { authorization: `Bearer ${process.env.AGENT_API_KEY}` };
const model = giselle({ cloudApiUrl: process.env.AGENT_API_URL, headers });
const tools = { getFormSnapshot: tool({ inputSchema: jsonSchema({ type: "object" }) }) };
const messages = [{ role: "user", content }];

async function turn(attach) {
	const giselle = { chatId, attach };
	const result = streamText({ model, tools, messages, providerOptions: { giselle }, onError() {} });
	for await (const part of result.fullStream) {
		if (part.type === "error") throw part.error;
		if (part.type === "text-delta") process.stdout.write(part.text);
	}
	messages.push(...(await result.response).messages);
	return (await result.toolCalls).filter(({ providerExecuted }) => !providerExecuted);
}

let calls = await turn(true).catch(async (error) => {
	if (error.code !== "nothing_to_attach") throw error;
	await turn(false); // The message is sent; what it asks of the page is left to the next process.
	return [];
});
while (calls.length > 0) {
	const output = { type: "json", value: { fields: [] } };
	const answers = calls.map((call) => ({ ...call, type: "tool-result", output }));
	messages.push({ role: "tool", content: answers });
	calls = await turn(false);
}
process.exit();
