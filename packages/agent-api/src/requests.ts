import { z } from "zod";
import { ApiError } from "./api-error";

/** A session's id, or a chat id of the caller's own. */
const sessionId = z.string().min(1).max(256);

const runBody = z
	.looseObject({
		type: z.literal("agent.run"),
		message: z.string().min(1).optional(),
		document: z.string().optional(),
		session_id: sessionId.optional(),
		sandbox_id: z.string().optional(),
		agent: z.string().min(1).max(128).optional(),
		idempotency_key: z.string().min(1).max(256).optional(),
		attach: z.boolean().optional(),
		after: z.number().int().min(0).optional(),
		follow: z.boolean().optional(),
	})
	.superRefine((body, context) => {
		const issue = (field: string, message: string) =>
			context.addIssue({ code: "custom", path: [field], message });
		if (body.attach && body.session_id === undefined) issue("session_id", "is needed to attach");
		if (body.attach && body.message !== undefined) issue("message", "does not go with attach");
		if (!body.attach && body.message === undefined) issue("message", "is needed");
		if (!body.attach && body.after !== undefined) issue("after", "goes with attach only");
		if (!body.attach && body.follow !== undefined) issue("follow", "goes with attach only");
	});

const abortBody = z.looseObject({
	session_id: sessionId,
	run_id: z.string().min(1).max(128).optional(),
});

const claimBody = z.looseObject({
	session_id: sessionId,
	request_id: z.string().min(1).max(256),
	claim_id: z.string().regex(/^[A-Za-z0-9_-]{1,128}$/, "has 1 to 128 of A-Z a-z 0-9 _ -"),
});

export type RunBody = z.infer<typeof runBody>;

export function parseRunBody(body: unknown): RunBody {
	return parse(runBody, body);
}

export function parseAbortBody(body: unknown): z.infer<typeof abortBody> {
	return parse(abortBody, body);
}

export function parseClaimBody(body: unknown): z.infer<typeof claimBody> {
	return parse(claimBody, body);
}

function parse<T>(schema: z.ZodType<T>, body: unknown): T {
	const result = schema.safeParse(body);
	if (result.success) return result.data;
	const [issue] = result.error.issues;
	const field = issue?.path.join(".") || "The body";
	throw new ApiError("INVALID_REQUEST", `${field}: ${issue?.message ?? "is not valid"}.`);
}
