import type { Collection } from "@baton/session";
import type { SessionValue } from "../../src/index";

type Sessions = Collection<SessionValue>;

/** The same collection with some of its methods replaced: a store that stalls or fails. */
export function withMethods(sessions: Sessions, methods: Partial<Sessions>): Sessions {
	return new Proxy(sessions, {
		get(target, name: keyof Sessions) {
			const method = methods[name] ?? target[name];
			return typeof method === "function" ? method.bind(target) : method;
		},
	});
}
