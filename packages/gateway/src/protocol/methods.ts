import type { z } from "zod";
import * as params from "./params";
import type { results } from "./results";

/** The params of each method, by its name on the wire. */
export const METHOD_PARAMS = {
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
