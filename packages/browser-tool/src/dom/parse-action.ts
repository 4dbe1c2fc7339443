import type { BrowserToolAction } from "../types";
import { LIMITS } from "./limits";
import { Refusal } from "./perform/refusal";

/** What the agent asks, checked by hand: a schema library would be larger than all else here. */
export function parseAction(asked: unknown): BrowserToolAction {
	const { action, fieldId, value, values } = (asked ?? {}) as Record<string, unknown>;
	if (typeof fieldId !== "string") throw wrong("An action names a fieldId.");
	if (action === "click") return { action, fieldId };
	if (action !== "fill" && action !== "select") {
		throw new Refusal("unsupported", 'The actions are "fill", "select" and "click".');
	}
	if (action === "select" && isTexts(values)) {
		return { action, fieldId, value: values[0] ?? "", values };
	}
	if (typeof value !== "string") throw wrong(`A ${action} has a value, which is a text.`);
	if (value.length > LIMITS.fill) throw wrong(`A value has at most ${LIMITS.fill} characters.`);
	return { action, fieldId, value };
}

function isTexts(values: unknown): values is string[] {
	return (
		Array.isArray(values) &&
		values.length <= LIMITS.options &&
		values.every((one) => typeof one === "string")
	);
}

function wrong(message: string): Refusal {
	return new Refusal("malformed-value", message);
}
