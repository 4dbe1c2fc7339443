import type { LanguageModelV3CallOptions, LanguageModelV3Prompt } from "@ai-sdk/provider";
import { pendingOf } from "./sessions";
import type { GiselleCallOptions, SessionMetadata } from "./types";

type Sent = NonNullable<SessionMetadata["sent"]>;

/** Prompts whose message was sent and never heard of. The AI SDK tries again with the same object. */
const unheard = new WeakMap<LanguageModelV3Prompt, Sent>();

export function rememberUnheard({ prompt }: LanguageModelV3CallOptions, sent: Sent): void {
	unheard.set(prompt, sent);
}

/**
 * Under which key a message is sent. One that was sent before, and that the server was not heard
 * about, keeps its key: should the server have it, it is not begun twice.
 */
export async function identifyMessage(
	message: string,
	{ prompt }: LanguageModelV3CallOptions,
	{ idempotencyKey }: GiselleCallOptions,
	/** The chat's run. */
	run: SessionMetadata | null,
): Promise<{ sent: Sent; isSame: boolean }> {
	const digest = await digestOf(message);
	const last = run?.sent;
	const again = unheard.get(prompt);
	unheard.delete(prompt);
	const isSame =
		idempotencyKey === undefined
			? last?.digest === digest && run !== null && isUnheard(run)
			: last?.key === idempotencyKey;
	const key = idempotencyKey ?? (isSame ? last?.key : again?.key) ?? crypto.randomUUID();
	return { sent: { key, digest }, isSame };
}

function isUnheard(run: SessionMetadata): boolean {
	return run.runId === undefined && pendingOf(run).length === 0;
}

async function digestOf(message: string): Promise<string> {
	// Node has a way that waits for no thread.
	const node = globalThis.process?.getBuiltinModule?.("node:crypto");
	if (node) return node.createHash("sha256").update(message).digest("hex");
	const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(message));
	return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
