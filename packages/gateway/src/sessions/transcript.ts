import { mkdir, open, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";

export interface TranscriptEvent {
	role: "user" | "assistant" | "tool_result";
	content: string;
	/** Unix ms. */
	timestamp: number;
	runId?: string;
	toolName?: string;
}

const transcriptEvent = z.looseObject({
	role: z.enum(["user", "assistant", "tool_result"]),
	content: z.string(),
	timestamp: z.number(),
	runId: z.string().optional(),
	toolName: z.string().optional(),
});

const NEWLINE = 0x0a;

/**
 * Adds one line to a transcript; makes the file if there is none. For one process at a time. A last
 * line that a crash left torn is ended first, so that it harms no other.
 */
export async function appendEvent(filePath: string, event: TranscriptEvent): Promise<void> {
	await mkdir(dirname(filePath), { recursive: true });
	const file = await open(filePath, "a+");
	try {
		const line = `${JSON.stringify(event)}\n`;
		await file.appendFile((await endsWithinLine(file)) ? `\n${line}` : line);
	} finally {
		await file.close();
	}
}

/** Every whole event of a transcript, oldest first. A missing file has none; a bad line is none. */
export async function readEvents(filePath: string): Promise<TranscriptEvent[]> {
	let text: string;
	try {
		text = await readFile(filePath, "utf8");
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
		throw error;
	}
	return text.split("\n").flatMap((line) => toTranscriptEvent(parseJson(line)) ?? []);
}

/** A value as a transcript's event, or null when it is none. */
export function toTranscriptEvent(value: unknown): TranscriptEvent | null {
	return transcriptEvent.safeParse(value).data ?? null;
}

function parseJson(line: string): unknown {
	if (line === "") return undefined;
	try {
		return JSON.parse(line);
	} catch {
		return undefined;
	}
}

async function endsWithinLine(file: Awaited<ReturnType<typeof open>>): Promise<boolean> {
	const { size } = await file.stat();
	if (size === 0) return false;
	const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
	return buffer[0] !== NEWLINE;
}
