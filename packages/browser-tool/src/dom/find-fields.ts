import { type FoundField, fieldKindOf, popupsOf } from "./field-kind";
import { LIMITS } from "./limits";
import { type Root, roleOf } from "./tree";
import { type Opaque, walkPage } from "./walk-page";

interface FoundFields {
	fields: FoundField[];
	opaque: Opaque[];
	/** There was more than one snapshot looks at. */
	truncated: boolean;
}

/** The fields of the root in the order of reading, visible or not. Radio buttons are one per group. */
export function findFields(root: Root): FoundFields {
	const fields: FoundField[] = [];
	const opaque: Opaque[] = [];
	const groups = new Map<unknown, Map<string, FoundField>>();
	let truncated = false;
	const addOpaque = (one: Opaque) => {
		if (opaque.length < LIMITS.opaque) opaque.push(one);
	};
	const add = (element: HTMLElement) => {
		const found = kindSafely(element, addOpaque);
		if (!found) return;
		if (found.kind !== "radio") {
			fields.push({ element, ...found });
			return;
		}
		const [owner, name] = groupKey(element);
		const named = groups.get(owner) ?? new Map<string, FoundField>();
		groups.set(owner, named);
		const known = named.get(name);
		if (known) known.members!.push(element);
		else {
			const field = { ...found, element, members: [element] };
			named.set(name, field);
			fields.push(field);
		}
	};
	const complete = walkPage(
		root,
		(element) => {
			// Hidden ones count too, but not without end.
			if (fields.length < LIMITS.fields * 5) add(element);
			else truncated = true;
		},
		addOpaque,
	);
	const popups = popupsOf(fields);
	return {
		fields: fields.filter(({ element }) => !popups.has(element)),
		opaque,
		truncated: truncated || !complete,
	};
}

function kindSafely(element: HTMLElement, onOpaque: (one: Opaque) => void) {
	try {
		return fieldKindOf(element);
	} catch {
		onOpaque({ reason: "unreadable" });
		return null;
	}
}

/** What makes radio buttons one group: form and name, or the group around them. */
function groupKey(element: HTMLElement): [owner: unknown, name: string] {
	if (element.localName !== "input") {
		return [element.closest('[role="radiogroup"]') ?? element, roleOf(element)];
	}
	const { form, name } = element as HTMLInputElement;
	return name ? [form ?? element.getRootNode(), name] : [element, ""];
}
