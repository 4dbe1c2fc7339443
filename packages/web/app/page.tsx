import { randomUUID } from "node:crypto";
import { chatIdSchema } from "../src/chat/chat-request";
import { Playground } from "../src/page/playground";

interface PageProps {
	searchParams: Promise<{ chat?: string | string[] }>;
}

/** The playground: the chat that the address names, or a new one. */
export default async function Page({ searchParams }: PageProps) {
	const named = chatIdSchema.safeParse((await searchParams).chat);
	const chatId = named.success ? named.data : randomUUID();
	return <Playground key={chatId} chatId={chatId} />;
}
