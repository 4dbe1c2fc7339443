// Parses the same NDJSON with the package's parser and with the naive loop that everyone writes,
// in one process, in turns, and takes the median of the rounds' ratios. Build the package first.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { NdjsonParser } from "../dist/index.js";

const ROUNDS = 31;
const CORPUS_BYTES = 4 * 1024 * 1024;
const READ_BYTES = 16 * 1024;

/** The recorded streams, and the long run of deltas that most turns consist of. */
function corpus() {
	const folder = new URL("../fixtures/", import.meta.url);
	const recorded = readdirSync(folder)
		.map((name) => readFileSync(new URL(name, folder), "utf8"))
		.join("");
	const deltas = Array.from({ length: 60 }, (_, i) =>
		JSON.stringify({
			type: "message",
			timestamp: "2026-11-15T10:04:35.037Z",
			role: "assistant",
			content: `token ${i} of the answer `,
			delta: true,
			seq: i + 1,
			run_id: "16805a95-77dd-4041-949d-c1b477223b0d",
		}),
	).join("\n");
	const unit = `${recorded}${deltas}\n`;
	return unit.repeat(Math.ceil(CORPUS_BYTES / Buffer.byteLength(unit)));
}

function cutEvery(whole, size) {
	const pieces = [];
	for (let at = 0; at < whole.length; at += size) pieces.push(whole.slice(at, at + size));
	return pieces;
}

function parseNaively(chunks) {
	const decoder = new TextDecoder();
	let buffer = "";
	let events = 0;
	for (const chunk of chunks) {
		buffer += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
		const lines = buffer.split("\n");
		buffer = lines.pop();
		for (const line of lines) {
			if (JSON.parse(line).type !== undefined) events++;
		}
	}
	return events;
}

function parseWithPackage(chunks) {
	const parser = new NdjsonParser();
	let events = 0;
	const count = (items) => {
		for (const item of items) {
			if (item.kind === "object" && item.value.type !== undefined) events++;
		}
	};
	for (const chunk of chunks) count(parser.push(chunk));
	count(parser.end());
	return events;
}

function timed(work) {
	const start = performance.now();
	const result = work();
	return { ms: performance.now() - start, result };
}

function median(values) {
	return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function compare(work, chunks, bytes) {
	const naive = [];
	const ours = [];
	for (let round = -3; round < ROUNDS; round++) {
		const first = timed(() => (round % 2 ? parseNaively(chunks) : parseWithPackage(chunks)));
		const second = timed(() => (round % 2 ? parseWithPackage(chunks) : parseNaively(chunks)));
		if (first.result !== second.result) throw new Error(`${work}: the parsers disagree`);
		if (round < 0) continue;
		naive.push((round % 2 ? first : second).ms);
		ours.push((round % 2 ? second : first).ms);
	}
	const speed = (times) => bytes / 1e6 / (median(times) / 1e3);
	// Per round, because both halves of a round meet the same load of the machine.
	const ratio = median(naive.map((ms, round) => ms / ours[round]));
	return {
		work,
		measure: `MB/s ÷ naive MB/s (${speed(ours).toFixed(0)} ÷ ${speed(naive).toFixed(0)})`,
		value: round2(ratio),
		reach: "≥ 1.0",
		pass: ratio >= 1,
	};
}

/** Time per byte of an eight times longer line, fed byte by byte: 1 if linear, 8 if quadratic. */
function compareByteByByte() {
	const perByte = (length) => {
		const line = Buffer.from(
			`${JSON.stringify({ type: "message", content: "x".repeat(length) })}\n`,
		);
		const chunks = cutEvery(new Uint8Array(line), 1);
		return median(
			Array.from({ length: 7 }, () => timed(() => parseWithPackage(chunks)).ms / line.length),
		);
	};
	perByte(128 * 1024);
	const short = perByte(128 * 1024);
	const long = perByte(1024 * 1024);
	const growth = long / short;
	return {
		work: "parse NDJSON, one byte per read, a line of 1 MiB against 128 KiB",
		measure: `growth of time per byte (${(short * 1e6).toFixed(0)} → ${(long * 1e6).toFixed(0)} ns)`,
		value: round2(growth),
		reach: "≤ 2 (linear)",
		pass: growth <= 2,
	};
}

function round2(value) {
	return Math.round(value * 100) / 100;
}

export async function run() {
	const text = corpus();
	const bytes = new Uint8Array(Buffer.from(text));
	const textLines = text.split(/(?<=\n)/);
	const ascii = new Uint8Array(Buffer.from(text.replace(/[^\n -~]/g, "")));
	const byteLines = textLines.map((line) => new Uint8Array(Buffer.from(line)));
	return [
		compare("parse NDJSON, 16 KiB reads", cutEvery(bytes, READ_BYTES), bytes.length),
		compare("parse NDJSON, 16 KiB reads, ASCII alone", cutEvery(ascii, READ_BYTES), ascii.length),
		compare("parse NDJSON, one line per read", byteLines, bytes.length),
		compare("parse NDJSON, 16 KiB of text", cutEvery(text, READ_BYTES), bytes.length),
		compare("parse NDJSON, one line of text per read", textLines, bytes.length),
		compareByteByByte(),
	];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await run());
