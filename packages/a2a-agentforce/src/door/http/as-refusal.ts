import { Refusal } from "./send-error";

/** What goes wrong on the way to a method, as a refusal: never a page, never a stack. */
export function asRefusal(error: unknown, onFailure: (error: unknown) => void): Refusal {
	if (error instanceof Refusal) return error;
	// As Express' parser tells its troubles.
	const { type, status } = error as { type?: unknown; status?: unknown };
	if (type === "entity.too.large") return new Refusal("TOO_LARGE", "The body is too large.");
	if (type === "entity.parse.failed") return new Refusal("PARSE_ERROR", "The body is not JSON.");
	if (typeof status === "number" && status >= 400 && status < 500) {
		return new Refusal("INVALID_ARGUMENT", "The request makes no sense.");
	}
	onFailure(error);
	return new Refusal("INTERNAL", "The server failed; its log says why.");
}
