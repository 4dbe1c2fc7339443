// A chat over WebSocket, in two places at once. The first client sends a message and is gone in the
// middle of the answer; the second reads on where the first one was.
import assert from "node:assert/strict";
import { connectGateway } from "@baton/gateway/client";

const { KEY: token, GATEWAY_URL: url = "ws://127.0.0.1:18789" } = process.env;
let text = "";
let seen = 0;

/** Adds what comes after `seen`; resolves when `isEnough` says so. */
const readUntil = (client, sessionKey, isEnough) =>
	new Promise((resolve) => {
		const listener = ({ event, data }) => {
			seen = data.seq;
			if (event === "chat.delta") text += data.text;
			if (event === "chat.retract") text = "";
			if (isEnough(event)) resolve();
		};
		client.subscribe(sessionKey, listener, { after: seen });
	});

const first = connectGateway({ url, token });
const { sessionKey } = await first.call("sessions.create", { agentId: "demo" });
const begun = readUntil(first, sessionKey, (event) => event === "chat.delta");
await first.send(sessionKey, "count to 40 every 20ms");
await begun;
first.close();
console.log(`left after event ${seen}: ${text}…`);

const second = connectGateway({ url, token });
await readUntil(second, sessionKey, (event) => event === "chat.final");
second.close();
console.log(text);
assert.equal(text, Array.from({ length: 40 }, (_, n) => n + 1).join(" "));
