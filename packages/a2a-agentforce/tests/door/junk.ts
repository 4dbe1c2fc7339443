import fc from "fast-check";

export const METHODS = [
	"SendMessage",
	"SendStreamingMessage",
	"GetTask",
	"ListTasks",
	"CancelTask",
	"SubscribeToTask",
	"CreateTaskPushNotificationConfig",
	"GetTaskPushNotificationConfig",
	"ListTaskPushNotificationConfigs",
	"DeleteTaskPushNotificationConfig",
	"GetExtendedAgentCard",
	"message/send",
	"message/stream",
	"tasks/get",
	"tasks/cancel",
	"tasks/resubscribe",
	"tasks/pushNotificationConfig/set",
	"tasks/pushNotificationConfig/get",
	"tasks/pushNotificationConfig/list",
	"tasks/pushNotificationConfig/delete",
	"agent/getAuthenticatedExtendedCard",
];
export const PATHS = [
	"/message:send",
	"/message:stream",
	"/tasks",
	"/tasks/x",
	"/tasks/x:cancel",
	"/tasks/x:subscribe",
	"/tasks/x/pushNotificationConfigs",
	"/extendedAgentCard",
	"/v1/message:send",
	"/v1/message:stream",
	"/v1/tasks/x",
	"/v1/tasks/x:cancel",
	"/v1/tasks/x/pushNotificationConfigs",
	"/v1/card",
];
export const junk = fc.oneof(
	fc.string(),
	fc.integer(),
	fc.constant(null),
	fc.boolean(),
	fc.array(fc.oneof(fc.string(), fc.constant(null)), { maxLength: 3 }),
	fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 }),
);
const junkPart = fc.oneof(
	junk,
	fc.record(
		{ text: junk, kind: junk, data: junk, raw: junk, url: junk, file: junk },
		{ requiredKeys: [] },
	),
);
const junkMessage = fc.oneof(
	junk,
	fc.record(
		{
			messageId: fc.oneof(fc.constant("m"), junk),
			role: fc.oneof(fc.constantFrom("ROLE_USER", "user"), junk),
			parts: fc.oneof(fc.array(junkPart, { maxLength: 3 }), junk),
			content: fc.oneof(fc.array(junkPart, { maxLength: 3 }), junk),
			contextId: junk,
			taskId: junk,
			metadata: junk,
			kind: junk,
		},
		{ requiredKeys: [] },
	),
);
export const junkParams = fc.oneof(
	junk,
	fc.record(
		{
			id: junk,
			taskId: junk,
			message: junkMessage,
			request: junkMessage,
			configuration: fc.oneof(
				junk,
				fc.record({
					returnImmediately: junk,
					blocking: junk,
					historyLength: junk,
					pushNotificationConfig: junk,
					taskPushNotificationConfig: junk,
				}),
			),
			pageSize: junk,
			pageToken: junk,
			status: junk,
			historyLength: junk,
			url: junk,
			pushNotificationConfig: junk,
			tenant: junk,
		},
		{ requiredKeys: [] },
	),
);
export const version = fc.constantFrom("1.0", "0.3", "", "7");
