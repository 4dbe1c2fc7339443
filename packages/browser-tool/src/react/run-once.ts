import type { CallLedger, Entry } from "./call-ledger";
import { type Claim, claimCall, wait } from "./claim-call";
import { isReading, type ToolCall } from "./tool-call";

/** How a call ended here: with an output, without one, or not at all, since another page has it. */
export type Outcome = { output: unknown } | { error: string } | "taken";

const LOST =
	"The page was reloaded while this ran, so it is unknown what of it was done. Look at the form again before you go on.";

/** Storage is told to other tabs within milliseconds; on a busy machine, tens of them. */
const SETTLE_MS = 250;

/** Each of them takes a quarter of a minute, while the server cannot be reached. */
const PATIENT_TRIES = 4;

interface RunOnce {
	chatId: string;
	ledger: CallLedger;
	claim?: Claim;
	signal: AbortSignal;
	run(progress: Progress): Promise<unknown>;
}

/** What a call says of how far it has come. Unless it says something else, it has begun. */
export interface Progress {
	/** Nothing was done yet, and nothing will be before the person agrees: a reload may ask again. */
	waits(): void;
	begins(): void;
	/** Asks the server once more, now that the person has agreed: an agent that began anew asks anew. */
	isWanted(): Promise<boolean>;
}

/**
 * Runs a call unless it ran before: in this page, before a reload, or in another tab. What was begun
 * and not finished is an error, never done again; only reading is.
 */
export function runOnce(call: ToolCall, options: RunOnce): Promise<Outcome> {
	const { ledger, signal } = options;
	return ledger.hold(call.toolCallId, signal, () => runHeld(call, options));
}

async function runHeld(call: ToolCall, options: RunOnce): Promise<Outcome> {
	const { chatId, ledger, claim, signal, run } = options;
	const { toolCallId, toolName } = call;
	const known = ledger.readOutput(toolCallId) as Outcome | undefined;
	if (known !== undefined) return known;
	const entry = await readSettled(ledger, toolCallId, signal);
	if (entry?.state === "done") return "taken";
	if (entry?.state === "running" && !isReading(toolName)) return finish({ error: LOST });

	const claimId = entry?.claimId ?? newId();
	const ask = async () =>
		claim ? claimCall(claim, { ...call, chatId, claimId, signal }) : ("run" as const);
	ledger.write(toolCallId, { state: "claiming", claimId });
	const answer = await ask();
	if (answer === "taken") return leave();
	if (answer === "unknown") return finish({ error: LOST });
	let isWithdrawn = false;
	const progress: Progress = {
		begins: () => ledger.write(toolCallId, { state: "running", claimId }),
		waits: () => ledger.write(toolCallId, { state: "claiming", claimId }),
		async isWanted() {
			isWithdrawn = (await patiently(ask, signal)) !== "run";
			return !isWithdrawn;
		},
	};
	progress.begins();
	const outcome = await run(progress).then((output) => ({ output }), failed);
	return isWithdrawn ? leave() : finish(outcome);

	/** Nobody waits for it here. */
	function leave(): "taken" {
		ledger.remove(toolCallId);
		return "taken";
	}

	function finish(outcome: Outcome): Outcome {
		ledger.writeOutput(toolCallId, outcome);
		ledger.write(toolCallId, { state: "done", claimId: entry?.claimId ?? "" });
		return outcome;
	}
}

/** A person who has agreed does not have to agree again because the network is away for a minute. */
async function patiently<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
	for (let tries = 1; tries < PATIENT_TRIES && !signal.aborted; tries++) {
		try {
			return await ask();
		} catch {
			// Asked again: nothing was done yet.
		}
	}
	return ask();
}

/** What a tab wrote as it let go of the call may reach this one a moment after the lock did. */
async function readSettled(
	ledger: CallLedger,
	toolCallId: string,
	signal: AbortSignal,
): Promise<Entry | undefined> {
	const entry = ledger.read(toolCallId);
	if (!entry || entry.state === "done") return entry;
	await wait(SETTLE_MS, signal);
	return ledger.read(toolCallId);
}

function failed(error: unknown): Outcome {
	return { error: error instanceof Error ? error.message : String(error) };
}

function newId(): string {
	return Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join("");
}
