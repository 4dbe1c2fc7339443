import { isBatonError } from "@baton/session";
import { followTask, type TaskSource } from "../task/follow-task";
import { foldTask, readTask } from "../task/read-task";
import type { TaskFold } from "../task/task-fold";
import type { FoundTask } from "../task/task-index";
import type { Milestone } from "./notification";

/**
 * Where the task stands, then every state it comes into, until it ends or waits for its caller. States
 * up to `toldSeq` may have been told before.
 */
export async function* milestones(
	source: TaskSource,
	found: FoundTask,
	toldSeq: number,
	signal: AbortSignal,
): AsyncGenerator<Milestone> {
	let seq = found.seq;
	try {
		const fold = await foldTask(source.sessions, found);
		if (fold) {
			yield milestoneOf(fold);
			seq = fold.statusSeq;
			for await (const { payload } of followTask(source, found, fold, {
				until: "resting",
				signal,
			})) {
				// The log was cut under the reader: the next look starts anew.
				if (payload?.$case === "task") return;
				if (fold.statusSeq === seq) continue;
				seq = fold.statusSeq;
				yield milestoneOf(fold);
			}
			return;
		}
	} catch (error) {
		if (!isBatonError(error, "not_found")) throw error;
	}
	// Its events are gone, or its session is: it has an end that no entry tells.
	yield { seq: Math.max(seq, toldSeq) + 1, task: await readTask(source.sessions, found) };
}

/** Whether the task is still where it was when that was told. */
export async function standsAt(
	{ sessions }: TaskSource,
	found: FoundTask,
	{ seq }: Milestone,
): Promise<boolean> {
	try {
		return (await foldTask(sessions, found))?.statusSeq === seq;
	} catch (error) {
		if (isBatonError(error, "not_found")) return false;
		throw error;
	}
}

function milestoneOf(fold: TaskFold): Milestone {
	return { seq: fold.statusSeq, task: fold.task() };
}
