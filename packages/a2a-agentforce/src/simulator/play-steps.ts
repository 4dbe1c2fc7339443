import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { Fault } from "./fault";
import { sendJson } from "./http-answers";
import type { Step } from "./script";

interface Play {
	steps: Iterable<Step>;
	fault: Fault | null;
	/** Aborted when the caller goes away, or the simulator stops. */
	gone: AbortSignal;
}

/** The whole answer at once: `/messages`. */
export async function playWhole(response: ServerResponse, { steps, gone }: Play): Promise<void> {
	const messages: Step[] = [];
	for (const step of steps) {
		if (step.type === undefined)
			await pause(step.waitMs, undefined, { signal: gone }).catch(() => {});
		else if (!/Chunk$|^ProgressIndicator$|^EndOfTurn$/.test(step.type)) messages.push(step);
		if (gone.aborted) return;
	}
	sendJson(response, 200, { messages, _links: {} });
}

/** Each message as a server-sent event: `/messages/stream`. */
export async function playStream(
	response: ServerResponse,
	{ steps, fault, gone }: Play,
): Promise<void> {
	response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
	response.flushHeaders();
	const traceId = randomUUID();
	let sent = 0;
	for (const step of steps) {
		if (fault && "cutAfter" in fault && sent === fault.cutAfter) return cut(response);
		if (fault && "stallAfter" in fault && sent === fault.stallAfter) return untilGone(gone);
		if (step.type === undefined) {
			await pause(step.waitMs, undefined, { signal: gone }).catch(() => {});
		} else {
			const data = { timestamp: Date.now(), originEventId: randomUUID(), traceId, message: step };
			const event = `event: ${upperSnake(step.type)}\ndata: ${JSON.stringify(data)}\n\n`;
			if (!response.write(event)) await once(response, "drain", { signal: gone }).catch(() => {});
			sent += 1;
		}
		if (gone.aborted) return;
	}
	response.end();
}

/** Cuts the connection, once what was sent has had time to arrive. */
async function cut(response: ServerResponse): Promise<void> {
	await pause(50);
	response.destroy();
}

export async function untilGone(gone: AbortSignal): Promise<void> {
	if (!gone.aborted) await once(gone, "abort");
}

function upperSnake(type: string): string {
	return type.replace(/([a-z])([A-Z])/g, "$1_$2").toUpperCase();
}
