export { checkStream, type StreamProblem } from "./check-stream";
export { collectParts, textOf } from "./collect-parts";
export {
	type FakeAgentApi,
	type FakeAgentApiOptions,
	type FakeRun,
	startFakeAgentApi,
} from "./fake-agent-api";
export type { FakeSession, FakeStep } from "./fake-session";
