// A task of an A2A agent outlives the client that began it: this one leaves in the middle of the
// answer, and comes back as somebody who knows the task's id and nothing else.
import assert from "node:assert/strict";
import { Role } from "@a2a-js/sdk";
import { ClientFactory, ClientFactoryOptions, JsonRpcTransportFactory } from "@a2a-js/sdk/client";

const { KEY, A2A_URL = "http://127.0.0.1:4100" } = process.env;

const fetchImpl = (input, init) => {
	const headers = new Headers(init?.headers);
	headers.set("authorization", `Bearer ${KEY}`);
	return fetch(input, { ...init, headers });
};
const factory = new ClientFactory(
	ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
		transports: [new JsonRpcTransportFactory({ fetchImpl })],
	}),
);
const connect = () => factory.createFromUrl(`${A2A_URL}/agents/demo/`);

const message = {
	messageId: crypto.randomUUID(),
	role: Role.ROLE_USER,
	parts: [{ content: { $case: "text", value: "count to 40 every 20ms" } }],
};
let taskId = "";
for await (const { payload } of (await connect()).sendMessageStream({ message })) {
	taskId ||= payload.value.id;
	if (payload.$case === "artifactUpdate") break; // The first words are there: leave.
}

let text = "";
for await (const { payload } of (await connect()).resubscribeTask({ id: taskId })) {
	const { artifact, append } = payload.value;
	const artifacts = payload.$case === "task" ? payload.value.artifacts : artifact ? [artifact] : [];
	for (const { parts } of artifacts) {
		const words = parts.map(({ content }) => content.value).join("");
		text = append ? text + words : words;
	}
}
console.log(text);
assert.equal(text, Array.from({ length: 40 }, (_, n) => n + 1).join(" "));
