import type { SnapshotField } from "../types";
import { labelOf } from "./accessible-text";
import { fieldKindOf } from "./field-kind";
import { isDisabled, isReadonly } from "./field-state";
import { cleanLine } from "./page-text";
import { Refusal } from "./perform/refusal";
import { isSameField, type Reference, referenceLike, referenceTo, wasTold } from "./references";
import { closest, IGNORE, isWithin, type Root } from "./tree";
import { isVisible } from "./visibility";

/**
 * The field of the last snapshot that an action names, or, for an id of before a reload, the one field
 * that is just what the agent saw under it.
 */
export function resolveField(
	root: Root,
	fieldId: string,
	seen: readonly SnapshotField[],
): Reference {
	const known = referenceTo(root, fieldId);
	if (known) return known;
	if (wasTold(fieldId)) throw new Refusal("stale", "The field is not in the last snapshot.");
	const told = seen.find((field) => field.fieldId === fieldId);
	if (!told) throw new Refusal("not-found", "No snapshot has had such a field.");
	const like = referenceLike(root, told, seen);
	if (!like) throw new Refusal("stale", "The page has no such field now.");
	return like;
}

/** Refuses what is no longer there, no longer the same, or not for an agent to touch now. */
export function checkField(root: Root, reference: Reference, changes: boolean): void {
	const { element, told } = reference;
	if (!element.isConnected) throw new Refusal("stale", "The field is no longer in the page.");
	if (!isWithin(root, element) || closest(element, IGNORE)) {
		throw new Refusal("outside-root", "The field is outside of the root.");
	}
	element.scrollIntoView({ block: "nearest", behavior: "instant" });
	if (!isVisible(reference)) throw new Refusal("hidden", "The field is not shown.");
	const now = { ...fieldKindOf(element), label: labelOf(reference), name: nameOf(element) };
	if (now.kind === undefined || !isSameField({ ...now, kind: now.kind }, told)) {
		throw new Refusal("stale", "The field has changed since the snapshot.");
	}
	if (isDisabled(reference)) throw new Refusal("disabled", "The field is disabled.");
	if (changes && isReadonly(reference)) throw new Refusal("readonly", "The field is read-only.");
}

function nameOf(element: Element): string {
	return cleanLine(element.getAttribute("name") ?? "");
}
