import type { IncomingMessage, ServerResponse } from "node:http";
import { LegacyJsonRpcTransportHandler } from "@a2a-js/sdk/compat/v0_3/server";
import {
	type A2ARequestHandler,
	JsonRpcTransportHandler,
	ServerCallContext,
	validateVersion,
} from "@a2a-js/sdk/server";
import { isOurText } from "../a2a-error";
import type { Caller } from "../caller";
import { A2A_VERSION } from "./a2a-version";
import { keepAlive } from "./heartbeat";
import { sendJson } from "./send-json";

const LEGACY = "0.3";
const INTERNAL_ERROR = -32603;
const INVALID_PARAMS = -32602;

interface RpcResponse {
	jsonrpc: string;
	id?: unknown;
	result?: unknown;
	error?: { code: number; message: string };
}

/** Answers one JSON-RPC request, whose body is read and whose caller is known. */
export type AnswerRpc = (
	request: IncomingMessage,
	response: ServerResponse,
	body: unknown,
	caller: Caller,
) => Promise<void>;

/**
 * JSON-RPC by the SDK's transports, 1.0 and 0.3 at one address. The SDK's own Express handler prints
 * errors past our log, shows the texts of exceptions, and costs as much as a turn; so the few lines
 * around the transports are ours.
 */
export function jsonRpc(handler: A2ARequestHandler, heartbeatMs: number): AnswerRpc {
	const latest = new JsonRpcTransportHandler(handler);
	const legacy = new LegacyJsonRpcTransportHandler(handler);
	return async (request, response, body, caller) => {
		const requestedVersion = (request.headers[A2A_VERSION] as string | undefined) ?? LEGACY;
		const isLegacy = requestedVersion === LEGACY;
		const failed = (error: unknown): RpcResponse =>
			withoutException({
				jsonrpc: "2.0",
				id: idOf(body),
				error: isLegacy
					? LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError(error)
					: JsonRpcTransportHandler.mapToJSONRPCError(error),
			});
		try {
			validateVersion(requestedVersion, await handler.getAgentCard(), "JSONRPC");
		} catch (error) {
			return sendJson(response, 200, failed(error));
		}
		const context = new ServerCallContext({ user: caller, requestedVersion });
		const transport = isLegacy ? legacy : latest;
		const answer = await transport.handle(body as Record<string, unknown>, context);
		if (Symbol.asyncIterator in answer) {
			await sendEvents(response, answer, heartbeatMs, failed);
		} else {
			sendJson(response, 200, withoutException(answer as RpcResponse));
		}
	};
}

/** Server-sent events from the first one on; what fails before it is a plain answer. */
async function sendEvents(
	response: ServerResponse,
	events: AsyncGenerator<unknown, void, undefined>,
	heartbeatMs: number,
	failed: (error: unknown) => RpcResponse,
): Promise<void> {
	try {
		for await (const event of events) {
			if (!response.headersSent) begin(response, heartbeatMs);
			response.write(`data: ${JSON.stringify(event)}\n\n`);
		}
		if (!response.headersSent) begin(response, heartbeatMs);
		response.end();
	} catch (error) {
		if (response.headersSent) response.destroy();
		else sendJson(response, 200, failed(error));
	}
}

function begin(response: ServerResponse, heartbeatMs: number): void {
	response.writeHead(200, {
		"Content-Type": "text/event-stream",
		"Cache-Control": "no-cache, no-transform",
		"X-Accel-Buffering": "no",
	});
	keepAlive(response, heartbeatMs);
}

/** Our methods fail in words of ours; any other text is that of a body that could not be decoded. */
function withoutException(answer: RpcResponse): RpcResponse {
	const { error } = answer;
	if (error?.code !== INTERNAL_ERROR || isOurText(error.message)) return answer;
	const message = "The parameters are not those of this method.";
	return { ...answer, error: { code: INVALID_PARAMS, message } };
}

function idOf(body: unknown): string | number | null {
	const id = (body as { id?: unknown } | null | undefined)?.id;
	return typeof id === "string" || typeof id === "number" ? id : null;
}
