import type { SessionValue } from "@baton/agent";
import type { SessionRecord } from "@baton/session";
import type { SessionMeta } from "./session";
import { DEFAULT_AGENT } from "./session-source";

/** The part of a record that tells about its session. */
export type Recorded = Pick<
	SessionRecord<SessionValue>,
	"id" | "value" | "createdAt" | "updatedAt"
>;

/** A record as it is told: nothing of what agents keep in it. Another program's may lack things. */
export function metaOf({ id, value, createdAt, updatedAt }: Recorded): SessionMeta {
	const { agentId = DEFAULT_AGENT, label, door } = value;
	return {
		key: id,
		agentId,
		createdAt: value.createdAt ?? createdAt,
		updatedAt: value.updatedAt ?? updatedAt,
		...(label !== undefined && { label }),
		...(door !== undefined && { door }),
	};
}
