import { type ListTasksRequest, type ListTasksResponse, TaskState } from "@a2a-js/sdk";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import type { SessionValue } from "@baton/agent";
import type { Collection } from "@baton/session";
import { decodePageToken, encodePageToken, type PageToken } from "./page-token";
import { readTask } from "./read-task";
import { isTerminal } from "./task-fold";
import type { FoundTask, TaskIndex } from "./task-index";

/** A caller's newest tasks that a list looks at. */
const MAX_LISTED = 10_000;
const READERS = 16;
const DEFAULT_PAGE_SIZE = 50;

/** Of thousands of tasks no more than this is kept; those of the page are read for it. */
interface Standing {
	found: FoundTask;
	state: TaskState;
	/** When it came into that state; empty when nobody knows. */
	at: string;
}

interface ListSource {
	index: TaskIndex;
	sessions: Collection<SessionValue>;
	owner: string;
	agent: string;
	/** Tasks of the context that is asked for which no list of this agent's has. */
	others: readonly FoundTask[];
}

/** The caller's tasks, newest status first. */
export async function listTasks(
	source: ListSource,
	request: ListTasksRequest,
): Promise<ListTasksResponse> {
	const pageSize = checked(request);
	const from = request.pageToken ? decodePageToken(request.pageToken) : null;
	const all = await source.index.list(source.owner, source.agent, MAX_LISTED);
	const wanted = request.contextId
		? [...all.filter(({ contextId }) => contextId === request.contextId), ...source.others]
		: all;
	const standings = await inTurns(wanted, (found) => standingOf(source, found));
	const matching = standings.filter((one) => matches(one, request)).sort(newestFirst);
	const rest = from ? matching.filter((one) => newestFirst(one, positionOf(from)) > 0) : matching;
	const page = rest.slice(0, pageSize);
	const last = page.at(-1);
	const more = rest.length > page.length && last;
	const tasks = await inTurns(page, ({ found }) => readTask(source.sessions, found));
	return {
		tasks: tasks.map((task) => (request.includeArtifacts ? task : { ...task, artifacts: [] })),
		nextPageToken: more ? encodePageToken({ at: last.at, taskId: last.found.taskId }) : "",
		pageSize,
		totalSize: matching.length,
	};
}

/** An ended task's state is noted in the index, so that it is read once. */
async function standingOf({ index, sessions }: ListSource, found: FoundTask): Promise<Standing> {
	if (found.end) return { found, ...found.end };
	const task = await readTask(sessions, found);
	const state = task.status?.state ?? TaskState.TASK_STATE_UNSPECIFIED;
	const at = task.status?.timestamp ?? "";
	if (isTerminal(state)) await index.noteEnd(found.taskId, { state, at });
	return { found, state, at };
}

function checked({ pageSize, status, statusTimestampAfter }: ListTasksRequest): number {
	const size = pageSize || DEFAULT_PAGE_SIZE;
	if (!Number.isInteger(size) || size < 1 || size > 100) {
		throw new RequestMalformedError("pageSize is a whole number from 1 to 100.");
	}
	if (status === TaskState.UNRECOGNIZED)
		throw new RequestMalformedError("status is no task state.");
	if (statusTimestampAfter && Number.isNaN(Date.parse(statusTimestampAfter))) {
		throw new RequestMalformedError("statusTimestampAfter is not an ISO 8601 time.");
	}
	return size;
}

function matches({ state, at }: Standing, { status, statusTimestampAfter }: ListTasksRequest) {
	if (status && status !== state) return false;
	return !statusTimestampAfter || Date.parse(at) > Date.parse(statusTimestampAfter);
}

type Position = Pick<Standing, "at"> & { found: Pick<FoundTask, "taskId"> };

function newestFirst(a: Position, b: Position): number {
	return compare(b.at, a.at) || compare(b.found.taskId, a.found.taskId);
}

function compare(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}

function positionOf({ at, taskId }: PageToken): Position {
	return { at, found: { taskId } };
}

/** In the order given, a few at a time. */
async function inTurns<T, R>(items: readonly T[], work: (item: T) => R | Promise<R>): Promise<R[]> {
	const results: R[] = [];
	for (let i = 0; i < items.length; i += READERS) {
		results.push(...(await Promise.all(items.slice(i, i + READERS).map(work))));
	}
	return results;
}
