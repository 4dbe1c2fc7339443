// The SDK's own server with its in-memory store: the peer of the A2A bench. It echoes a message as an
// artifact, by the book: the task, what it says, its end.
import { createServer } from "node:http";
import { Role, TaskState } from "@a2a-js/sdk";
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } from "@a2a-js/sdk/server";
import { jsonRpcHandler, UserBuilder } from "@a2a-js/sdk/server/express";
import express from "express";

const card = {
	name: "echo",
	description: "echo",
	version: "1",
	supportedInterfaces: [
		{ url: "http://127.0.0.1", protocolBinding: "JSONRPC", protocolVersion: "1.0", tenant: "" },
	],
	capabilities: { streaming: true, pushNotifications: false, extensions: [] },
	securitySchemes: {},
	securityRequirements: [],
	defaultInputModes: ["text/plain"],
	defaultOutputModes: ["text/plain"],
	skills: [],
	signatures: [],
};

const echo = {
	async execute({ taskId, contextId, userMessage }, bus) {
		const ids = { taskId, contextId };
		const status = (state) => ({ state, message: undefined, timestamp: new Date().toISOString() });
		const artifact = {
			artifactId: "echo",
			name: "echo",
			description: "",
			parts: userMessage.parts,
			extensions: [],
		};
		const history = [{ ...userMessage, role: Role.ROLE_USER }];
		const submitted = status(TaskState.TASK_STATE_SUBMITTED);
		bus.publish(
			AgentEvent.task({ id: taskId, contextId, status: submitted, artifacts: [], history }),
		);
		const working = status(TaskState.TASK_STATE_WORKING);
		bus.publish(AgentEvent.statusUpdate({ ...ids, status: working }));
		bus.publish(AgentEvent.artifactUpdate({ ...ids, artifact, append: false, lastChunk: true }));
		const completed = status(TaskState.TASK_STATE_COMPLETED);
		bus.publish(AgentEvent.statusUpdate({ ...ids, status: completed }));
		bus.finished();
	},
	async cancelTask() {},
};

const app = express();
const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), echo);
app.use(jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
const server = createServer(app);
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
