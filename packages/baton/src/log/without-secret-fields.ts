const SECRET_FIELD =
	/token$|secret|passw(or)?d|api[_-]?key|^key$|authorization|cookie|credential|^x-.*-key$/i;

const DEEPEST = 6;

/** A copy for the log: fields that are named like a secret lose their value, errors become plain. */
export function withoutSecretFields(value: unknown, depth = 0): unknown {
	if (typeof value !== "object" || value === null) return value;
	if (depth > DEEPEST) return "[deeper]";
	if (value instanceof Error) return plainError(value, depth);
	if (Array.isArray(value)) return value.map((item) => withoutSecretFields(item, depth + 1));
	const entries = value instanceof Headers || value instanceof Map ? value : Object.entries(value);
	const copy: Record<string, unknown> = {};
	for (const [name, item] of entries as Iterable<[string, unknown]>) {
		const hide = SECRET_FIELD.test(name) && item !== undefined && item !== null;
		copy[name] = hide ? "[removed]" : withoutSecretFields(item, depth + 1);
	}
	return copy;
}

function plainError(error: Error, depth: number): Record<string, unknown> {
	const { code } = error as { code?: unknown };
	return {
		type: error.name,
		message: error.message,
		...(code !== undefined && { code }),
		stack: error.stack,
		...(error.cause !== undefined && { cause: withoutSecretFields(error.cause, depth + 1) }),
	};
}
