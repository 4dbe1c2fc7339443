import { labelOf } from "./accessible-text";
import { MASK } from "./card-number";
import { describeField } from "./describe-field";
import { findFields } from "./find-fields";
import { natives } from "./natives";
import { cleanLine } from "./page-text";
import { Refusal } from "./perform/refusal";
import type { Reference } from "./references";
import { formOf } from "./submits";
import type { Root } from "./tree";
import { isVisible } from "./visibility";

/** What a person is asked before a form is sent. It stays in the page. */
export interface ApprovalRequest {
	/** The button's name. */
	label: string;
	/** Where the form goes, if it names a place. */
	destination?: string;
	/** What will go: each field as it is now. A secret is shown as dots. */
	values: { label: string; value: string | boolean }[];
	/** Aborted when the answer is no longer waited for. */
	signal: AbortSignal;
}

export type Approve = (request: ApprovalRequest) => Promise<boolean>;

/** Asks the person, and ends as a refusal unless the answer is yes. */
export async function askPerson(
	root: Root,
	button: Reference,
	{ approve, timeoutMs, signal }: { approve?: Approve; timeoutMs: number; signal?: AbortSignal },
): Promise<void> {
	if (!approve) throw new Refusal("needs-approval", "Nobody is there to be asked.");
	const asking = new AbortController();
	const waiting = AbortSignal.any([asking.signal, ...(signal ? [signal] : [])]);
	const timer = setTimeout(() => asking.abort(), timeoutMs);
	try {
		const form = formOf(button.element);
		const destination = form && natives().attribute(form, "action");
		const answer = await Promise.race([
			approve({
				label: button.told.label,
				...(destination && { destination: addressOf(destination) }),
				values: valuesOf(root, form),
				signal: waiting,
			}),
			aborted(waiting),
		]);
		if (signal?.aborted) throw new Refusal("denied", stopReason(signal));
		if (waiting.aborted) {
			throw new Refusal("needs-approval", "The person did not answer in time.");
		}
		if (!answer) throw new Refusal("denied", "The person said no.");
	} finally {
		clearTimeout(timer);
		asking.abort();
	}
}

function addressOf(action: string): string {
	return cleanLine(
		URL.canParse(action, document.baseURI) ? new URL(action, document.baseURI).href : action,
	);
}

function valuesOf(root: Root, form: HTMLFormElement | null): ApprovalRequest["values"] {
	const fields = findFields(root).fields.filter(
		(field) =>
			field.kind !== "button" &&
			(form === null || formOf(field.element) === form) &&
			isVisible(field),
	);
	return fields.map((field) => {
		const { told } = describeField(field, "");
		const value = told.filled ? MASK : told.currentValue;
		return { label: labelOf(field) || (told.name ?? ""), value };
	});
}

/** Why what was asked for is no longer wanted, in the words of who stopped it. */
export function stopReason({ reason }: AbortSignal): string {
	const said = reason instanceof Error && reason.name === "Error" ? reason.message : "";
	return said || "The person stopped this.";
}

function aborted(signal: AbortSignal): Promise<false> {
	return new Promise((resolve) => {
		if (signal.aborted) resolve(false);
		signal.addEventListener("abort", () => resolve(false), { once: true });
	});
}
