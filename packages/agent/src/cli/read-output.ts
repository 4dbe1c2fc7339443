import { NdjsonParser } from "@baton/protocol";
import { AgentFailure } from "../agent";
import { Inbox } from "./inbox";
import type { CliLimits } from "./limits";
import { LineSplitter } from "./line-splitter";
import type { SupervisedProcess } from "./supervised-process";

export type OutputItem =
	| { kind: "object"; value: Record<string, unknown> }
	/** A line of standard output that is no JSON object. */
	| { kind: "junk"; line: string }
	| { kind: "stderr"; line: string };

export interface Output extends AsyncIterable<OutputItem> {
	/** While a tool runs, silence is not held against the agent. */
	toolsRunning(count: number): void;
}

const INBOX_CAPACITY = 512;

/**
 * Both outputs of the process, line by line, until it has ended. A limit that is passed stops the
 * process, and the reader gets an `AgentFailure` after what came before.
 */
export function readOutput(
	child: SupervisedProcess,
	limits: CliLimits,
	/** Who speaks, as the start of a sentence. */
	subject: string,
): Output {
	const inbox = new Inbox<OutputItem>(INBOX_CAPACITY);
	const parser = new NdjsonParser({ maxLineBytes: limits.lineBytes });
	const errors = new LineSplitter();
	let bytes = 0;
	let tools = 0;
	let ended = false;
	let failure: AgentFailure | undefined;

	const fail = (type: string, message: string) => {
		failure ??= new AgentFailure(type, message, { retryable: true });
		void child.stop();
	};
	const seconds = (ms: number) => `${Math.round(ms / 100) / 10} s`;
	const wall = setTimeout(() => {
		fail("timeout", `${subject} took longer than ${seconds(limits.wallMs)} and was stopped.`);
	}, limits.wallMs);
	const silence = setTimeout(() => {
		if (tools > 0) silence.refresh();
		else
			fail("silent", `${subject} said nothing for ${seconds(limits.silenceMs)} and was stopped.`);
	}, limits.silenceMs);

	const take = (chunk: Uint8Array): boolean => {
		if (!ended) silence.refresh();
		bytes += chunk.length;
		if (bytes > limits.outputBytes) {
			fail("output", `${subject} wrote more than ${limits.outputBytes} bytes and was stopped.`);
		}
		return failure === undefined;
	};
	child.stdout.on("data", (chunk: Buffer) => {
		if (!take(chunk)) return;
		for (const item of parser.push(chunk)) inbox.push(item);
		if (inbox.isFull && !child.isStopping) child.stdout.pause();
	});
	child.stderr.on("data", (chunk: Buffer) => {
		if (!take(chunk)) return;
		for (const line of errors.push(chunk)) inbox.push({ kind: "stderr", line });
		if (inbox.isFull && !child.isStopping) child.stderr.pause();
	});
	inbox.onDrained = () => {
		child.stdout.resume();
		child.stderr.resume();
	};
	child.exited.finally(() => {
		ended = true;
		clearTimeout(wall);
		clearTimeout(silence);
		for (const item of parser.end()) inbox.push(item);
		for (const line of errors.end()) inbox.push({ kind: "stderr", line });
		inbox.end(failure);
	});
	return {
		[Symbol.asyncIterator]: () => inbox[Symbol.asyncIterator](),
		toolsRunning(count) {
			tools = count;
			if (!ended) silence.refresh();
		},
	};
}
