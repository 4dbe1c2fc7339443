import { type Artifact, type Part, TaskState } from "@a2a-js/sdk";
import { artifactOf, dataPart, textPart } from "./parts";
import type { TaskEvent } from "./task-event";
import { TaskText } from "./task-text";

/** A piece of a run's artifact, as a stream carries it. */
interface ArtifactPiece {
	artifact: Artifact;
	append: boolean;
	lastChunk: boolean;
}

/** Data parts of one run at the most: citations, files. More is left out. */
const MAX_DATA_PARTS = 100;

/** One turn of a task: what it said, what it asks, how it ended. Fed with the run's own events. */
export class TaskRun {
	readonly artifactId: string;
	readonly #text = new TaskText();
	readonly #data: Part[] = [];
	readonly #pending = new Map<string, TaskEvent>();
	#question: TaskEvent | null = null;
	#end: TaskEvent | null = null;
	#started = false;
	/** Text that was said since the last piece was taken. */
	#fresh: string[] = [];
	#freshData: Part[] = [];
	/** True until the next piece: it replaces what was sent before, or begins. */
	#anew = true;
	#retracted = false;

	constructor(number: number) {
		this.artifactId = `response-${number}`;
	}

	get ended(): boolean {
		return this.#end !== null;
	}

	get end(): TaskEvent | null {
		return this.#end;
	}

	/** Requests that only the client can answer, oldest first. */
	get pending(): TaskEvent[] {
		return [...this.#pending.values()];
	}

	/** That the agent wants an answer to what it said last. */
	get question(): TaskEvent | null {
		return this.#question;
	}

	get text(): string {
		return this.#text.toString();
	}

	get state(): TaskState {
		switch (this.#end?.status) {
			case "success":
				return this.#question
					? TaskState.TASK_STATE_INPUT_REQUIRED
					: TaskState.TASK_STATE_COMPLETED;
			case "error":
				return TaskState.TASK_STATE_FAILED;
			case "aborted":
			case "dropped":
				return TaskState.TASK_STATE_CANCELED;
		}
		if (this.#pending.size > 0) return TaskState.TASK_STATE_INPUT_REQUIRED;
		return this.#started ? TaskState.TASK_STATE_WORKING : TaskState.TASK_STATE_SUBMITTED;
	}

	feed(event: TaskEvent): void {
		if (this.#end) return;
		switch (event.type) {
			case "init":
				this.#started = true;
				break;
			case "message":
				if (event.role === "assistant") this.#say(event);
				break;
			case "citations":
			case "artifact":
			case "escalated":
			case "context_lost":
			case "agent_session_ended":
				this.#show(event);
				break;
			case "input_required":
				this.#question = event;
				break;
			case "retract":
				this.#retract();
				break;
			case "snapshot_request":
			case "execute_request":
				this.#pending.set(event.requestId ?? "", event);
				break;
			case "request_answered":
			case "request_closed":
				this.#pending.delete(event.requestId ?? "");
				break;
			case "result":
				this.#end = event;
				this.#pending.clear();
		}
	}

	/** Whether more was said than a snapshot has. */
	get isCut(): boolean {
		return this.#text.isCut;
	}

	/** The artifact as it stands, or null while there is nothing in it. `goesOn`: pieces follow it. */
	snapshot(goesOn = false): Artifact | null {
		if (this.#text.isEmpty && this.#data.length === 0) return null;
		const text = this.#text.isEmpty ? [] : [textPart(this.#text.toString(goesOn))];
		return artifactOf(this.artifactId, [...text, ...this.#data]);
	}

	/** From now on pieces are what a reader of the snapshot does not have. */
	startFromSnapshot(): void {
		this.takePiece();
		this.#anew = this.snapshot() === null;
		if (this.#text.isCut) this.#fresh.push(this.#text.cutOff);
	}

	/** What came since the last call, as one piece; null when nothing did. */
	takePiece(): ArtifactPiece | null {
		const text = this.#fresh.join("");
		const parts = [...(text === "" ? [] : [textPart(text)]), ...this.#freshData];
		if (parts.length === 0 && !this.#retracted) return null;
		const piece = {
			artifact: artifactOf(this.artifactId, parts.length > 0 ? parts : [textPart("")]),
			append: !this.#anew,
			lastChunk: this.ended,
		};
		this.#fresh = [];
		this.#freshData = [];
		this.#anew = false;
		this.#retracted = false;
		return piece;
	}

	#say({ content = "", delta }: TaskEvent): void {
		const piece = delta || this.#text.isEmpty ? content : `\n\n${content}`;
		this.#text.add(piece);
		if (piece !== "") this.#fresh.push(piece);
	}

	#show({ run_id: _, timestamp: __, ...event }: TaskEvent): void {
		if (this.#data.length === MAX_DATA_PARTS) return;
		const part = dataPart(event);
		this.#data.push(part);
		this.#freshData.push(part);
	}

	/** Everything said and shown so far is withdrawn: the next piece replaces what a reader has. */
	#retract(): void {
		this.#retracted = !this.#anew;
		this.#anew = true;
		this.#question = null;
		this.#text.clear();
		this.#data.length = 0;
		this.#fresh = [];
		this.#freshData = [];
	}
}
