import type { SnapshotField } from "../types";
import type { FoundField } from "./field-kind";
import type { Root } from "./tree";

/** A field of the last snapshot: what it was told as, and where it is. */
export interface Reference extends FoundField {
	told: SnapshotField;
}

/** What the fields of the last snapshot of each root stand for. An agent can name nothing else. */
const lastOf = new WeakMap<Root, Map<string, Reference>>();

/** A field keeps its id while it is the same element; another load of the page has other ids. */
const ids = new WeakMap<Element, string>();
let load = "";
let count = 0;

export function idOf(element: Element): string {
	const known = ids.get(element);
	if (known !== undefined) return known;
	load ||= crypto.getRandomValues(new Uint32Array(1))[0]!.toString(36).slice(-4);
	const id = `${load}-${++count}`;
	ids.set(element, id);
	return id;
}

/** Whether this load of the page has ever told this id. */
export function wasTold(fieldId: string): boolean {
	const [of, number] = fieldId.split("-");
	return load !== "" && of === load && Number(number) <= count;
}

export function keepReferences(root: Root, references: readonly Reference[]): void {
	lastOf.set(root, new Map(references.map((reference) => [reference.told.fieldId, reference])));
}

export function referenceTo(root: Root, fieldId: string): Reference | undefined {
	return lastOf.get(root)?.get(fieldId);
}

/** Whether a field still is what the agent was told that it is. */
export function isSameField(a: Identity, b: Identity): boolean {
	return (
		a.kind === b.kind &&
		a.label === b.label &&
		(a.name ?? "") === (b.name ?? "") &&
		(a.inputType ?? "") === (b.inputType ?? "")
	);
}

type Identity = Pick<SnapshotField, "kind" | "label" | "name" | "inputType">;

/** The one field of the last snapshot that is what an agent saw before the page was loaded anew. */
export function referenceLike(
	root: Root,
	seen: SnapshotField,
	all: readonly SnapshotField[],
): Reference | undefined {
	const alike = (field: SnapshotField) =>
		isSameField(field, seen) && String(field.legends ?? "") === String(seen.legends ?? "");
	const found = Array.from(lastOf.get(root)?.values() ?? []).filter(({ told }) => alike(told));
	// Of fields that look the same, the one in the same place among them, if none came or went.
	const before = all.filter(alike);
	return found.length === before.length ? found[before.indexOf(seen)] : undefined;
}
