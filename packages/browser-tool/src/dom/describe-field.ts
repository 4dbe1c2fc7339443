import type { SnapshotField } from "../types";
import { descriptionOf, labelOf, legendsOf } from "./accessible-text";
import type { FoundField } from "./field-kind";
import { type FoundOption, optionsOf } from "./field-options";
import { faultOf, isDisabled, isReadonly, isRequired } from "./field-state";
import { chosenOf, heldBy, toldValue } from "./field-value";
import { LIMITS } from "./limits";
import { cleanLine } from "./page-text";
import { isSecret, wordsAbout } from "./secrets";
import { submits } from "./submits";

/** What an agent is told of a field, and the secret in it that it is not told. */
interface Description {
	told: SnapshotField;
	secret?: string;
}

export function describeField(field: FoundField, fieldId: string): Description {
	const { kind, element, inputType } = field;
	const label = labelOf(field);
	const input = element as HTMLInputElement;
	const attribute = (name: string) => element.getAttribute(name) ?? "";
	const secret = isSecret(element, wordsAbout(element, label));
	const options = secret ? undefined : optionsOf(field);
	const value = heldBy(field, options);
	const fault = faultOf(field);
	const multiple = input.multiple === true || attribute("aria-multiselectable") === "true";
	const told: SnapshotField = {
		fieldId,
		selector: selectorOf(element),
		kind,
		label,
		...some("name", cleanLine(attribute("name"))),
		required: isRequired(field),
		...some("placeholder", cleanLine(attribute("placeholder") || attribute("aria-placeholder"))),
		currentValue: secret ? "" : toldValue(value),
		...(secret && { filled: value !== "" }),
		...(options && tellOptions(options)),
		...some("inputType", inputType),
		...some("description", descriptionOf(element, label)),
		...some("legends", legendsOf(field)),
		...some("disabled", isDisabled(field)),
		...some("readonly", isReadonly(field)),
		...some("invalid", fault !== undefined),
		// What a page says about a secret may repeat it.
		...some("validationMessage", secret ? "" : fault?.message),
		...(kind !== "file" && multiple && { multiple, currentValues: chosenOf(options ?? []) }),
		...some("min", cleanLine(attribute("min") || attribute("aria-valuemin"))),
		...some("max", cleanLine(attribute("max") || attribute("aria-valuemax"))),
		...some("step", cleanLine(attribute("step"))),
		...(input.maxLength > 0 && { maxLength: input.maxLength }),
		...some("submits", submits(field, label)),
	};
	return { told, ...(secret && typeof value === "string" && value !== "" && { secret: value }) };
}

function tellOptions(options: readonly FoundOption[]) {
	const optionDetails = options.slice(0, LIMITS.options).map(({ element: _, ...told }) => told);
	return { options: optionDetails.map(({ label }) => label), optionDetails };
}

/** The entry of an object, if there is something to say. */
function some<Name extends string, Value>(name: Name, value: Value) {
	const empty = Array.isArray(value) ? value.length === 0 : !value;
	return (empty ? {} : { [name]: value }) as { [Key in Name]?: Value };
}

/** Where the field is, in words for a person. Nothing is ever looked up by it. */
function selectorOf(element: Element): string {
	const [id, name] = [element.id, element.getAttribute("name")];
	const where = id ? `#${id}` : name ? `${element.localName}[name="${name}"]` : element.localName;
	return cleanLine(where, 100);
}
