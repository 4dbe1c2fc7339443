import { z } from "zod";
import { authAnswer, authFrame, errorFrame, eventData, requestFrame, resultFrame } from "./frames";
import * as params from "./params";
import { results } from "./results";
import { PROTOCOL_VERSION } from "./version";

/** The params of each method, by its name on the wire. */
const METHOD_PARAMS = {
	hello: params.HelloParams,
	"health.check": params.HealthParams,
	"agents.list": params.AgentsListParams,
	"sessions.create": params.CreateParams,
	"sessions.list": params.ListParams,
	"sessions.get": params.GetParams,
	"sessions.patch": params.PatchParams,
	"sessions.delete": params.DeleteParams,
	"sessions.fork": params.ForkParams,
	"sessions.search": params.SearchParams,
	"chat.send": params.SendParams,
	"chat.history": params.HistoryParams,
	"chat.abort": params.AbortParams,
	"chat.subscribe": params.SubscribeParams,
	"chat.unsubscribe": params.UnsubscribeParams,
	"chat.wait": params.WaitParams,
} as const satisfies Record<keyof typeof results, z.ZodType>;

/** All frames as JSON Schema, made from the schemas that the gateway itself checks with. */
export function gatewaySchema(): Record<string, unknown> {
	const input = (schema: z.ZodType) => definition(schema, "input");
	const output = (schema: z.ZodType) => definition(schema, "output");
	return {
		$schema: "https://json-schema.org/draft/2020-12/schema",
		title: "Baton gateway",
		description: "Frames of the gateway, one JSON text each. docs/gateway.md explains them.",
		version: PROTOCOL_VERSION,
		client: { auth: input(authFrame), request: input(requestFrame) },
		server: {
			auth: output(authAnswer),
			result: output(resultFrame),
			error: output(errorFrame),
			event: {
				type: "object",
				properties: { event: { enum: Object.keys(eventData) }, data: { type: "object" } },
				required: ["event", "data"],
			},
		},
		methods: Object.fromEntries(
			Object.entries(METHOD_PARAMS).map(([name, schema]) => [
				name,
				{ params: input(schema), result: output(results[name as keyof typeof results]) },
			]),
		),
		events: Object.fromEntries(
			Object.entries(eventData).map(([name, schema]) => [name, output(schema)]),
		),
	};
}

function definition(schema: z.ZodType, io: "input" | "output"): Record<string, unknown> {
	const { $schema: _, ...rest } = z.toJSONSchema(schema, { io });
	return rest;
}
