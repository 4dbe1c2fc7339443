import { ADA } from "./door-fixture";

type Headers = Record<string, string>;

/** Requests to a door as they go over the wire, with Ada's key. */
export function wireCalls(url: () => string) {
	const call = (path: string, init: RequestInit = {}, headers: Headers = {}) =>
		fetch(url() + path, {
			...init,
			headers: { authorization: `Bearer ${ADA}`, "content-type": "application/json", ...headers },
		});
	const rpc = (body: unknown, headers: Headers = { "a2a-version": "1.0" }, path = "/") => {
		const text = typeof body === "string" ? body : JSON.stringify(body);
		return call(path, { method: "POST", body: text }, headers);
	};
	return { call, rpc };
}
