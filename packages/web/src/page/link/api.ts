import type { ChatMessage } from "../../chat/chat-message";
import { browserId } from "./browser-id";

export interface ListedChat {
	id: string;
	title: string;
	/** Unix ms. */
	updatedAt: number;
}

export interface Overview {
	agent: { name: string; notice?: string };
	chats: ListedChat[];
}

/** An answer that says no, in the server's words. */
async function checked(response: Response): Promise<Response> {
	if (response.ok) return response;
	throw new Error(await response.text());
}

export async function fetchOverview(): Promise<Overview> {
	return (await checked(await fetch("/api/chats"))).json();
}

/** The conversation as the server has it. */
export async function fetchHistory(
	chatId: string,
): Promise<{ messages: ChatMessage[]; isRunning: boolean }> {
	return (await checked(await fetch(`/api/chat/${chatId}`))).json();
}

export async function postStop(chatId: string): Promise<void> {
	await checked(await fetch(`/api/chat/${chatId}/stop`, { method: "POST" }));
}

/** Takes a call for this browser: `taken` when another has it, or nobody needs it any more. */
export async function postClaim(
	chatId: string,
	toolCallId: string,
	signal: AbortSignal,
): Promise<"run" | "taken"> {
	const response = await fetch(`/api/chat/${chatId}/claim`, {
		method: "POST",
		headers: { "Content-Type": "application/json" },
		body: JSON.stringify({ toolCallId, claimId: browserId() }),
		signal,
	});
	if (response.status === 404 || response.status === 409 || response.status === 422) return "taken";
	await checked(response);
	return "run";
}
