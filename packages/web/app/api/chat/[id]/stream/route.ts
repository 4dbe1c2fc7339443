import { createUIMessageStreamResponse } from "ai";
import { chatParams } from "../../../../../src/chat/chat-params";
import { chatIdSchema } from "../../../../../src/chat/chat-request";
import { KEEP_ALIVE_MS } from "../../../../../src/chat/keep-alive";
import { route } from "../../../../../src/http/route";
import { streamOpenTurn } from "../../../../../src/replay/stream-open-turn";
import { toStream } from "../../../../../src/replay/to-stream";

/** The turn that runs: from its start, all legs, with the same ids, then live. 204: none does. */
export const GET = route<{ id: string }>(async ({ request, api }, params) => {
	const claimId = chatIdSchema.safeParse(new URL(request.url).searchParams.get("claimId"));
	const gone = new AbortController();
	const chunks = await streamOpenTurn({
		api,
		sessionId: chatParams(params),
		claimId: claimId.data,
		signal: gone.signal,
	});
	if (chunks === null) return new Response(null, { status: 204 });
	return createUIMessageStreamResponse({
		stream: toStream(chunks, gone),
		keepAliveMs: KEEP_ALIVE_MS,
	});
});
