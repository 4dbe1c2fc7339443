import { type StreamResponse, type Task, TaskState } from "@a2a-js/sdk";
import { V03PushNotificationSerializer } from "@a2a-js/sdk/compat/v0_3/server";
import { V1PushNotificationSerializer } from "@a2a-js/sdk/server";
import { taskResponse } from "../task/follow-task";
import { isTerminal } from "../task/task-fold";
import type { Webhook } from "./push-record";

const LATEST = new V1PushNotificationSerializer();
const LEGACY = new V03PushNotificationSerializer();

/** A state of a task that its webhooks are told, and where in the log it came about. */
export interface Milestone {
	seq: number;
	task: Task;
}

export function isEnd({ task }: Milestone): boolean {
	return task.status !== undefined && isTerminal(task.status.state);
}

/** Ended, or nothing goes on until the caller says something. */
export function isResting(milestone: Milestone): boolean {
	return isEnd(milestone) || milestone.task.status?.state === TaskState.TASK_STATE_INPUT_REQUIRED;
}

/** A state as a webhook gets it. The end comes as the whole task, with what the agent made. */
export function notificationOf(milestone: Milestone, webhook: Webhook) {
	const serializer = webhook.version.startsWith("0.") ? LEGACY : LATEST;
	const { body, contentType } = serializer.serialize(responseOf(milestone), milestone.task);
	return {
		body,
		headers: {
			"Content-Type": contentType,
			"User-Agent": "baton-a2a",
			// The same when it is sent again, for receivers that count.
			"X-A2A-Notification-Id": `${milestone.task.id}:${milestone.seq}`,
			...credentialsOf(webhook),
		},
	};
}

function responseOf(milestone: Milestone): StreamResponse {
	const { id: taskId, contextId, status, history: _ } = milestone.task;
	if (isEnd(milestone)) return taskResponse(milestone.task);
	const value = { taskId, contextId, status, metadata: undefined };
	return { payload: { $case: "statusUpdate", value } };
}

/** Both when both were given: the token tells the receiver's task, the credentials its door. */
function credentialsOf({ token, scheme, credentials }: Webhook): Record<string, string> {
	return {
		...(token !== "" && { "X-A2A-Notification-Token": token }),
		...(scheme !== "" && credentials !== "" && { Authorization: `${scheme} ${credentials}` }),
	};
}
