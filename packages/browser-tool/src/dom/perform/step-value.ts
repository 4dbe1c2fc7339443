import type { FoundField } from "../field-kind";
import { textOf } from "../field-value";
import { pressKey } from "./events";
import { takeFocus } from "./focus";
import { notKept, Refusal } from "./refusal";
import { nextTask } from "./wait";

const MAX_STEPS = 1_000;

/** Moves a slider or a spinbutton that is no input, by its keys. */
export async function stepValue(field: FoundField, value: string): Promise<void> {
	const { element } = field;
	const wanted = Number(value);
	const [min, max] = ["aria-valuemin", "aria-valuemax"].map((name) => element.getAttribute(name));
	const [least, most] = [Number(min ?? -Infinity), Number(max ?? Infinity)];
	if (value.trim() === "" || !(wanted >= least && wanted <= most)) {
		const range = `${min ?? "any"} to ${max ?? "any"}`;
		throw new Refusal("malformed-value", `The field takes a number, from ${range}.`);
	}
	const leave = takeFocus(element);
	await walkTo(field, wanted, { Home: least, End: most });
	leave();
	if (Number(textOf(field)) !== wanted) throw notKept();
}

async function walkTo(
	field: FoundField,
	wanted: number,
	ends: { Home: number; End: number },
): Promise<void> {
	const { element } = field;
	const now = () => Number(textOf(field));
	for (const key of ["Home", "End"] as const) {
		// From an end it may be shorter; a page that does not know the key does nothing.
		if (Math.abs(wanted - ends[key]) >= Math.abs(wanted - now())) continue;
		pressKey(element, key);
		await nextTask();
	}
	for (let step = 0; step < MAX_STEPS && now() !== wanted; step++) {
		const before = now();
		pressKey(element, before < wanted ? "ArrowUp" : "ArrowDown");
		await nextTask();
		const overshot = (before < wanted && now() > wanted) || (before > wanted && now() < wanted);
		if (now() === before || overshot) return;
	}
}
