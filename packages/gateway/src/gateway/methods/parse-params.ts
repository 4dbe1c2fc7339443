import type { z } from "zod";
import { RPC, RpcError } from "../rpc-error";

/** The params of a call, or a refusal that names the first field that is wrong. */
export function parseParams<T>(schema: z.ZodType<T>, params: unknown): T {
	const result = schema.safeParse(params ?? {});
	if (result.success) return result.data;
	const [issue] = result.error.issues;
	const field = issue?.path.join(".") || "params";
	const message = `${field}: ${issue?.message ?? "is not valid"}`;
	throw new RpcError(RPC.invalidParams, "invalid_params", message);
}
