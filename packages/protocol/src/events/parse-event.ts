import { type BatonEvent, type EventType, eventSchemas, type UnknownEvent } from "./baton-event";

/** What is wrong with an event, in words for a log line. */
export interface EventProblem {
	/** The event's type; null when it has none. */
	readonly type: string | null;
	/** Path of the wrong field: `role`, `response.requestId`, `actions.0`. Empty: no object at all. */
	readonly field: string;
	readonly message: string;
}

export type ParsedEvent =
	| { readonly kind: "event"; readonly event: BatonEvent }
	| { readonly kind: "unknown"; readonly event: UnknownEvent }
	| { readonly kind: "invalid"; readonly problem: EventProblem };

/**
 * Tells what a value from the wire is. Never throws, so one bad line does not end a stream. The
 * event is the very value that came in, with every field it had: checked, not copied.
 */
export function parseEvent(value: unknown): ParsedEvent {
	if (typeof value !== "object" || value === null) return invalid(null, "", "is not an object");
	const type = "type" in value ? value.type : undefined;
	if (typeof type !== "string") return invalid(null, "type", "must be a text");
	if (!isEventType(type)) return { kind: "unknown", event: value as UnknownEvent };
	const checked = eventSchemas[type].safeParse(value);
	if (checked.success) return { kind: "event", event: value as BatonEvent };
	const issue = checked.error.issues[0]!;
	return invalid(type, issue.path.join("."), issue.message);
}

function isEventType(type: string): type is EventType {
	return Object.hasOwn(eventSchemas, type);
}

function invalid(type: string | null, field: string, message: string): ParsedEvent {
	return { kind: "invalid", problem: { type, field, message } };
}
