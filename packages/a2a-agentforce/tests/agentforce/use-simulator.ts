import { afterEach, beforeEach, expect } from "vitest";
import {
	AgentforceClient,
	type AgentforceErrorKind,
	type AgentforceMessage,
	type AgentforceTimes,
} from "../../src/agentforce";
import {
	type AgentforceSimulator,
	type Endpoint,
	startAgentforceSimulator,
} from "../../src/simulator";

/** Long enough for a machine that is busy; where silence is the test, shorter. */
const QUICK: Partial<AgentforceTimes> = { pauseMs: 10, answerMs: 10_000, callMs: 10_000 };

/** A simulator for each test, and clients of it. */
export function useSimulator() {
	let simulator: AgentforceSimulator;
	beforeEach(async () => {
		simulator = await startAgentforceSimulator();
	});
	afterEach(() => simulator.stop());

	return {
		get simulator() {
			return simulator;
		},
		open: (times: Partial<AgentforceTimes> = {}, settings = {}) =>
			new AgentforceClient(
				{ ...simulator.settings, ...settings },
				{ times: { ...QUICK, ...times } },
			),
		callsTo: (at: Endpoint) => simulator.requests.filter((request) => request.at === at),
	};
}

export async function all(stream: AsyncIterable<AgentforceMessage>) {
	const messages: AgentforceMessage[] = [];
	for await (const message of stream) messages.push(message);
	return messages;
}

export const failsAs = (kind: AgentforceErrorKind, retryable: boolean) =>
	expect.objectContaining({ name: "AgentforceError", kind, retryable });
