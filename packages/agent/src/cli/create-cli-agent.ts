import { hostname } from "node:os";
import type { Agent, AgentEvent, Turn, TurnStats } from "../agent";
import { createRedactor } from "../redact";
import type { CliAdapter, CliSignal, McpForTurn } from "./adapter";
import { childEnvironment } from "./child-environment";
import { missingKey, missingProgram } from "./cli-failure";
import { endOrphan } from "./end-orphan";
import { findProgram } from "./find-program";
import { type CliLimits, DEFAULT_LIMITS } from "./limits";
import { CONTINUATION_PROMPT, cliSessionSchema, type PromptPlan, planPrompt } from "./plan-prompt";
import { type OnceEnd, runOnce } from "./run-once";
import { Said } from "./said";
import { SupervisedProcess } from "./supervised-process";
import { openWorkspace, type Workspace, writeHomeFile } from "./workspace";

export interface CliAgentOptions {
	/** Each session works in `<sandboxRoot>/<sessionId>`; the CLI's own files are in `.homes`. */
	sandboxRoot: string;
	/** Where PATH, the key and the provider's variables are taken from. Nothing else of it is used. */
	env: Readonly<Record<string, string | undefined>>;
	/** Given to the CLI as they are. */
	extraEnv?: Readonly<Record<string, string>>;
	/** The program and its first arguments, instead of the adapter's program in PATH. */
	command?: readonly [string, ...string[]];
	model?: string;
	/** Gives the CLI tools for a turn, such as the browser's. */
	mcp?: McpForTurn;
	limits?: Partial<CliLimits>;
}

/** An agent that is a command-line program, run once for each turn. */
export function createCliAgent(adapter: CliAdapter, options: CliAgentOptions): Agent {
	return {
		name: adapter.name,
		recovery: "resume",
		continuation: CONTINUATION_PROMPT,
		run: (turn) => runTurn(adapter, options, turn),
		cleanUp: endOrphan,
	};
}

async function* runTurn(
	adapter: CliAdapter,
	options: CliAgentOptions,
	turn: Turn,
): AsyncGenerator<AgentEvent, TurnStats | undefined, undefined> {
	const command = await findCommand(adapter, options);
	const workspace = await openWorkspace(options.sandboxRoot, turn.sessionId, adapter.name);
	const said = new Said(workspace.home);
	const parts: RunParts = { adapter, options, turn, command, workspace, said, opened: false };

	let end = yield* runPlan(parts, await makePlan(turn, said));
	if (end.kind === "session_lost") {
		await turn.memory.set({ session: null });
		const notice =
			"The agent's own session is gone. It starts a new one, with the conversation so far.";
		end = yield* runPlan(parts, { ...(await makePlan(turn, said)), notice });
	}
	await said.remove();
	return end.kind === "success" && end.stats ? { stats: end.stats } : undefined;
}

async function makePlan(turn: Turn, said: Said): Promise<PromptPlan> {
	return planPrompt({
		message: turn.input.content,
		document: turn.input.document,
		runId: turn.runId,
		attempt: turn.attempt,
		host: hostname(),
		session: cliSessionSchema
			.nullable()
			.catch(null)
			.parse(turn.memory.get().session ?? null),
		history: await turn.history(),
		said: await said.tail(),
	});
}

interface RunParts {
	adapter: CliAdapter;
	options: CliAgentOptions;
	turn: Turn;
	command: readonly [string, ...string[]];
	workspace: Workspace;
	said: Said;
	/** Whether it was told where the agent works. */
	opened: boolean;
}

async function* runPlan(
	parts: RunParts,
	plan: PromptPlan,
): AsyncGenerator<AgentEvent, OnceEnd, undefined> {
	const { adapter, options, turn, command, said } = parts;
	const { home, temp, work } = parts.workspace;
	const env = childEnvironment(adapter, { ...options, home, temp });
	const mcp = await options.mcp?.(turn);
	const call = { home, model: options.model, mcp, resume: plan.resume };
	for (const file of adapter.homeFiles(call, env)) await writeHomeFile(home, file);
	if (!plan.continues) await said.clear();
	if (turn.signal.aborted) return { kind: "aborted" };

	const child = await SupervisedProcess.start({
		command: [command[0], ...command.slice(1), ...adapter.args(call)],
		env,
		cwd: work,
		input: plan.prompt,
	});
	const stop = () => void child.stop();
	turn.signal.addEventListener("abort", stop);
	try {
		if (turn.signal.aborted) stop();
		await turn.memory.set({ process: child.identity });
		const redact = createRedactor([env[adapter.keyVariable], ...Object.values(mcp?.env ?? {})]);
		const limits = { ...DEFAULT_LIMITS, ...options.limits };
		let session: (CliSignal & { kind: "session" }) | undefined;
		let told = false;
		const onSession = async (opened: CliSignal & { kind: "session" }) => {
			session = opened;
			// The message may not be in the CLI's own files yet: that is known by its answer.
			await remember(turn, opened.id, plan.continues);
			turn.announce({ model: opened.model ?? options.model });
		};
		const { signal } = turn;
		const events = runOnce({ adapter, child, limits, redact, signal, onSession });
		for (;;) {
			const next = await events.next();
			if (next.done) return next.value;
			if (!parts.opened) {
				parts.opened = true;
				yield { type: "sandbox", sandbox_id: turn.sessionId };
			}
			if (!told && plan.notice) {
				yield { type: "error", severity: "warning", message: plan.notice };
			}
			told = true;
			const event = next.value;
			if (session && isAnswer(event)) {
				await remember(turn, session.id, true);
				session = undefined;
			}
			yield event;
			// After the reader took it: to say a word again is better than to leave one out.
			if (event.type === "message") said.add(String(event.content));
		}
	} finally {
		turn.signal.removeEventListener("abort", stop);
		await child.stop();
		// A lost lease forbids nothing here, and what stays behind is checked before it is used.
		await turn.memory.set({ process: null }).catch(() => {});
	}
}

async function remember(turn: Turn, id: string, prompted: boolean): Promise<void> {
	const session = { id, host: hostname(), ...(prompted && { promptedRun: turn.runId }) };
	await turn.memory.set({ session });
}

/** What the CLI only says once it has the message. */
function isAnswer({ type }: AgentEvent): boolean {
	return type === "message" || type === "tool_use";
}

async function findCommand(
	adapter: CliAdapter,
	{ command, env }: CliAgentOptions,
): Promise<readonly [string, ...string[]]> {
	const [name, ...args] = command ?? [adapter.program];
	const path = await findProgram(name, env.PATH ?? "");
	if (path === null) throw missingProgram(adapter);
	if (!env[adapter.keyVariable]) throw missingKey(adapter);
	return [path, ...args];
}
