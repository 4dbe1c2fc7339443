import * as z from "zod";
import { chatParams } from "../../../../../src/chat/chat-params";
import { chatIdSchema } from "../../../../../src/chat/chat-request";
import { readJson } from "../../../../../src/http/read-json";
import { route } from "../../../../../src/http/route";
import { invalid } from "../../../../../src/http/web-error";

const bodySchema = z.object({
	toolCallId: z.string().min(1).max(256),
	claimId: chatIdSchema,
});

/** A page takes a tool call before it runs it; 409 `CLAIMED` when another page has it. */
export const POST = route<{ id: string }>(async ({ request, api }, params) => {
	const body = bodySchema.safeParse(await readJson(request));
	if (!body.success) throw invalid("A claim has a toolCallId and a claimId.");
	await api.claim(chatParams(params), body.data.toolCallId, body.data.claimId);
	return Response.json({ ok: true });
});
