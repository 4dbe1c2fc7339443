import { labelOf } from "./accessible-text";
import { MASK } from "./card-number";
import { describeField } from "./describe-field";
import { findFields } from "./find-fields";
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
		const destination = form?.getAttribute("action");
		const answer = await Promise.race([
			approve({
				label: button.told.label,
				...(destination && { destination: new URL(destination, form!.baseURI).href }),
				values: valuesOf(root, form),
				signal: waiting,
			}),
			aborted(waiting),
		]);
		if (answer === "aborted") {
			throw signal?.aborted
				? new Refusal("denied", "The person stopped it.")
				: new Refusal("needs-approval", "The person did not answer in time.");
		}
		if (!answer) throw new Refusal("denied", "The person said no.");
	} finally {
		clearTimeout(timer);
		asking.abort();
	}
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

function aborted(signal: AbortSignal): Promise<"aborted"> {
	return new Promise((resolve) => {
		if (signal.aborted) resolve("aborted");
		signal.addEventListener("abort", () => resolve("aborted"), { once: true });
	});
}
