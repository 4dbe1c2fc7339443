import type { ActionResult, BrowserToolAction, ExecutionReport, SnapshotField } from "../types";
import { type Approve, askPerson, stopReason } from "./approval";
import { describeField } from "./describe-field";
import { heldBy } from "./field-value";
import { LIMITS } from "./limits";
import { cleanLine } from "./page-text";
import { parseAction } from "./parse-action";
import { guardSubmit } from "./perform/guard-submit";
import { performAction } from "./perform/perform-action";
import { notKept, Refusal } from "./perform/refusal";
import { nextFrame } from "./perform/wait";
import { type Reference, wasTold } from "./references";
import { reportOf } from "./report";
import { checkField, resolveField } from "./resolve-field";
import { redact, secretsIn } from "./secrets";
import { snapshot } from "./snapshot";
import type { Root } from "./tree";

export interface ExecuteOptions {
	/** Nothing outside of it is touched. The whole document by default; the same as of the snapshot. */
	root?: Root;
	/** The fields as the agent saw them, for a page that was loaded anew since. */
	seen?: readonly SnapshotField[];
	/** Asks the person before a form is sent. Without it, no form is sent. */
	approve?: Approve;
	/** How long the person may think: 2 minutes. */
	approvalTimeoutMs?: number;
	signal?: AbortSignal;
	/** After each action that was applied, with the element, to show it for instance. */
	onApplied?: (applied: { element: HTMLElement; label: string; result: ActionResult }) => void;
}

/** What was done to a field, and what it held right after. */
interface Step {
	result: ActionResult;
	label: string;
	done?: { reference: Reference; value: string | boolean };
}

let queue: Promise<unknown> = Promise.resolve();

/**
 * Does what an agent asks, action by action, and reports on each. It never throws for what a page or
 * an agent does wrong. Calls run one after the other.
 */
export function execute(
	actions: readonly unknown[],
	options: ExecuteOptions = {},
): Promise<ExecutionReport> {
	const run = queue.then(() => runActions(actions, options));
	queue = run.catch(() => {});
	return run;
}

async function runActions(
	actions: readonly unknown[],
	options: ExecuteOptions,
): Promise<ExecutionReport> {
	const { root = document, seen = [], signal } = options;
	// Of a page that was loaded anew, no field has been told yet.
	if (seen.length > 0 && !seen.some(({ fieldId }) => wasTold(fieldId))) snapshot({ root });
	const steps: Step[] = [];
	let denied = false;
	for (const [index, asked] of actions.entries()) {
		if (index >= LIMITS.actions) steps.push(refuse(asked, tooMany()));
		else if (signal?.aborted) steps.push(refuse(asked, new Refusal("denied", stopReason(signal))));
		else if (denied) steps.push(refuse(asked, afterNo()));
		else {
			if ((asked as { action?: unknown } | null)?.action === "click") await settle(steps);
			steps.push(await runAction(asked, root, options));
			denied = steps.at(-1)!.result.code === "denied";
		}
	}
	await settle(steps);
	const report = reportOf(steps);
	const stale = steps.some(({ result }) => result.code === "stale");
	const withSnapshot = stale ? { ...report, snapshot: { ...snapshot({ root }) } } : report;
	return redact(withSnapshot, secretsIn(root));
}

async function runAction(asked: unknown, root: Root, options: ExecuteOptions): Promise<Step> {
	let label = "";
	try {
		const action = parseAction(asked);
		const reference = resolveField(root, action.fieldId, options.seen ?? []);
		label = reference.told.label;
		checkField(root, reference, action.action !== "click" || reference.kind !== "button");
		await performGuarded(reference, action, root, options);
		const result = { ...entry(asked), status: "applied" as const, ...readBack(reference) };
		tellApplied(options, { element: reference.element, label, result });
		return { result, label, done: { reference, value: heldBy(reference) } };
	} catch (error) {
		return refuse(asked, error, label);
	}
}

async function performGuarded(
	reference: Reference,
	action: BrowserToolAction,
	root: Root,
	options: ExecuteOptions,
): Promise<void> {
	const { approve, approvalTimeoutMs: timeoutMs = 120_000, signal } = options;
	if (action.action === "click" && reference.told.submits) {
		await askPerson(root, reference, { approve, timeoutMs, signal });
		// While the person was thinking, the page may have gone on.
		checkField(root, reference, false);
		return performAction(reference, action, signal);
	}
	const guard = guardSubmit(reference.element);
	try {
		await performAction(reference, action, signal);
	} finally {
		guard.release();
	}
	if (guard.wasBlocked()) {
		throw new Refusal("needs-approval", "It would have sent a form.", true);
	}
}

/** The field as it is now. A secret is not read back. */
function readBack(reference: Reference): Pick<ActionResult, "value" | "validationMessage"> {
	if (reference.kind === "button" || !reference.element.isConnected) return {};
	const { told } = describeField(reference, reference.told.fieldId);
	return {
		...(told.filled === undefined && { value: told.currentValue }),
		...(told.validationMessage !== undefined && { validationMessage: told.validationMessage }),
	};
}

/** Some pages take a value back when they draw the next time: those were not applied. */
async function settle(steps: Step[]): Promise<void> {
	if (!steps.some(({ done }) => done)) return;
	await nextFrame();
	const last = new Map(steps.map((step) => [step.done?.reference.element, step]));
	for (const step of steps) {
		const { done } = step;
		step.done = undefined;
		if (!done || last.get(done.reference.element) !== step) continue;
		if (!done.reference.element.isConnected || heldBy(done.reference) === done.value) continue;
		const { value: _, ...result } = { ...step.result, ...readBack(done.reference) };
		const { code, message } = notKept();
		step.result = { ...result, status: "failed", code, message };
	}
}

function refuse(asked: unknown, error: unknown, label = ""): Step {
	const known = error instanceof Refusal ? error : undefined;
	const words = error instanceof Error ? error.message : String(error);
	const result: ActionResult = {
		...entry(asked),
		status: known && !known.tried ? "skipped" : "failed",
		...(known && { code: known.code }),
		message: known?.message ?? cleanLine(`The page failed: ${words}`),
	};
	return { result, label };
}

function entry(asked: unknown): Pick<ActionResult, "fieldId" | "action"> {
	const { fieldId, action } = (asked ?? {}) as Record<string, unknown>;
	return { fieldId: cleanLine(String(fieldId ?? "")), action: cleanLine(String(action ?? "")) };
}

function tellApplied(
	{ onApplied }: ExecuteOptions,
	applied: Parameters<NonNullable<ExecuteOptions["onApplied"]>>[0],
): void {
	try {
		onApplied?.(applied);
	} catch (error) {
		console.error(error);
	}
}

function afterNo(): Refusal {
	return new Refusal("denied", "The person said no before.");
}

function tooMany(): Refusal {
	return new Refusal("not-allowed", `One call has at most ${LIMITS.actions} actions.`);
}
