import { z } from "zod";
import { authAnswer, authFrame, errorFrame, eventData, requestFrame, resultFrame } from "./frames";
import { METHOD_PARAMS } from "./methods";
import { results } from "./results";
import { PROTOCOL_VERSION } from "./version";

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
