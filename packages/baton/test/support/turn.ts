import { ndjsonParserStream } from "@baton/protocol";
import type { Server } from "./baton";

export type Line = { type: string; seq?: number; [field: string]: unknown };

/** The lines of an answer, as they come. */
export async function* linesOf(response: Response): AsyncGenerator<Line, void, undefined> {
	for await (const item of response.body!.pipeThrough(ndjsonParserStream())) {
		if (item.kind !== "object") throw new Error(`Not a line of the protocol: ${item.line}`);
		yield item.value as Line;
	}
}

export async function allLines(response: Response): Promise<Line[]> {
	const lines: Line[] = [];
	for await (const line of linesOf(response)) lines.push(line);
	return lines;
}

/** Reads until a line fits; the answer stays open, as a client's would. */
export async function readUntil(
	lines: AsyncGenerator<Line, void, undefined>,
	fits: (line: Line) => boolean,
): Promise<Line> {
	for (;;) {
		const { done, value } = await lines.next();
		if (done) throw new Error("The answer ended before that line.");
		if (fits(value)) return value;
	}
}

/** What the assistant says in the end: a retracted part does not count. */
export function textOf(lines: readonly Line[]): string {
	const retracted = Math.max(
		0,
		...lines.filter(({ type }) => type === "retract").map(({ up_to }) => Number(up_to)),
	);
	return lines
		.filter(
			({ type, role, seq = 0 }) => type === "message" && role === "assistant" && seq > retracted,
		)
		.map(({ content }) => content)
		.join("");
}

export const run = (server: Server, message: string, more: object = {}) =>
	server.call("run", { type: "agent.run", message, ...more });

export const attach = (server: Server, session_id: string) =>
	server.call("run", { type: "agent.run", session_id, attach: true });
