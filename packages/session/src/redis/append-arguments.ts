import type { AppendConditions, AppendStep, EncodedRow, OnceKey } from "../driver";

type Argument = string | number;

/** What of a step is more than conditions on one log, and so takes the longer script. */
export function isMore(step: AppendStep): boolean {
	const { alarmMs, before, after, takeLease, settle, ifLast } = step;
	return [alarmMs, before, after, takeLease, settle, ifLast].some((each) => each !== undefined);
}

/** The conditions of `append.lua`. */
export function encodeConditions({ once, swap }: AppendConditions): Argument[] {
	if (!once && !swap) return [0];
	const conditions = [...encodeOnce(once), ...encodeSwap(swap)];
	return [conditions.length, ...conditions];
}

/** The arguments of `step.lua`, from the idempotency key to before the events. */
export function encodeStep(
	step: AppendStep,
	alarm: { id: string; inMs: number } | null,
): Argument[] {
	const { once, swap, ifLast, takeLease, settle, before = [], after = [] } = step;
	const rows = [...before, ...after];
	return [
		...encodeOnce(once),
		...encodeSwap(swap),
		ifLast ?? "",
		...(alarm ? [alarm.id, alarm.inMs] : ["", ""]),
		...(takeLease ? [takeLease.holder, takeLease.ttlMs] : ["", ""]),
		...(settle ? [settle.version, settle.json, Date.now()] : ["", "", ""]),
		rows.length,
		...rows.flatMap(encodeRow),
	];
}

export function decodeRegister(text: string): string | null {
	return text === "" ? null : text.slice(1);
}

function encodeRow({ log, line, once }: EncodedRow): Argument[] {
	return [log, once.key, once.digest, 1, line];
}

function encodeOnce(once: OnceKey | undefined): Argument[] {
	return [once?.key ?? "", once?.digest ?? ""];
}

function encodeSwap(swap: AppendConditions["swap"]): Argument[] {
	return [swap?.register ?? "", encodeRegister(swap?.from), encodeRegister(swap?.to)];
}

function encodeRegister(value: string | null | undefined): string {
	return value === null || value === undefined ? "" : `=${value}`;
}
