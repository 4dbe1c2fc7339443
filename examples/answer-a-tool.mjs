// An agent asks for something that only its client has: here, a form. One process sends the message;
// any other one answers, knowing nothing but the chat's name.
//
//   node answer-a-tool.mjs ask       sends a message, and waits for the end of its turn
//   node answer-a-tool.mjs answer    attaches to the turn, and does what the agent asks

import { createInterface } from "node:readline";
import { Readable } from "node:stream";

const { KEY, AGENT_API_URL = "http://127.0.0.1:3000", CHAT = "answer-a-tool" } = process.env;
const form = { "Full name": "", Email: "" };

const post = (url, body) =>
	fetch(url, {
		method: "POST",
		headers: { authorization: `Bearer ${KEY}` },
		body: JSON.stringify(body),
	});

/** The events of a turn: one JSON object a line. */
async function* run(body) {
	const url = `${AGENT_API_URL}/agent-api/run`;
	const response = await post(url, { type: "agent.run", session_id: CHAT, ...body });
	if (!response.ok) throw new Error(await response.text());
	for await (const line of createInterface({ input: Readable.fromWeb(response.body) })) {
		if (line) yield JSON.parse(line);
	}
}

/** What the agent gets for what it asks. */
const answers = {
	snapshot_request: ({ requestId }) => {
		const fields = Object.entries(form).map(([label, currentValue], index) => ({
			fieldId: `f${index}`,
			selector: label,
			kind: "text",
			label,
			required: true,
			currentValue,
		}));
		return { type: "snapshot_response", requestId, fields };
	},
	execute_request: ({ requestId, actions }) => {
		const labels = Object.keys(form);
		for (const { fieldId, value } of actions) form[labels[fieldId.slice(1)]] = value;
		const report = { applied: actions.length, skipped: 0, warnings: [] };
		return { type: "execute_response", requestId, report };
	},
};

const isAnswering = process.argv[2] === "answer";
const asked = isAnswering ? { attach: true } : { message: "I am Ada Lovelace, ada@example.org" };
let relay;
for await (const event of run(asked)) {
	if (event.type === "relay.session") relay = event;
	if (event.role === "assistant") process.stdout.write(event.content);
	if (event.type === "result") console.log(`\n${event.status}`);
	const answer = isAnswering && answers[event.type]?.(event);
	if (!answer) continue;
	const { relayUrl, sessionId, token } = relay;
	const response = await post(relayUrl, {
		type: "relay.respond",
		sessionId,
		token,
		response: answer,
	});
	if (!response.ok) throw new Error(await response.text());
}
if (isAnswering) console.log(JSON.stringify(form));
