import { requestFrame } from "../protocol/frames";
import { registry } from "./methods/registry";
import type { MethodContext } from "./methods/types";
import { RPC, RpcError, toErrorBody } from "./rpc-error";

export interface Request {
	id: string | number;
	method: string;
	params?: unknown;
}

/** What a text frame asks for. Throws an `RpcError` when it is no request. */
export function readRequest(text: string): Request {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		throw new RpcError(RPC.parseError, "parse_error", "The frame is no JSON.");
	}
	const parsed = requestFrame.safeParse(value);
	if (parsed.success) return parsed.data;
	const message = "A request is {id, method, params}, with a method's name and an id of yours.";
	throw new RpcError(RPC.invalidRequest, "invalid_request", message);
}

/** Carries out a request: its answer goes out, and only then what comes after it. Never rejects. */
export async function answer(
	request: Request,
	ctx: Omit<MethodContext, "afterAnswer">,
	send: (frame: object) => void,
): Promise<void> {
	const after: (() => void)[] = [];
	const { id, method } = request;
	try {
		const known = registry.find(method);
		if (!known) {
			const message = `There is no method "${method}". The method hello lists those there are.`;
			throw new RpcError(RPC.unknownMethod, "unknown_method", message);
		}
		const afterAnswer = (task: () => void) => void after.push(task);
		send({ id, result: await known.handler(request.params, { ...ctx, afterAnswer }) });
	} catch (error) {
		send({ id, error: toErrorBody(error, (cause) => logFailure(ctx, method, cause)) });
	}
	for (const task of after) task();
}

function logFailure({ log }: Pick<MethodContext, "log">, method: string, error: unknown): void {
	log.warn({ method, error }, "A request to the gateway failed.");
}
