import type { SessionValue } from "@baton/agent";
import { demoPieces } from "@baton/agent/demo";
import { BatonError, type Collection, openStore } from "@baton/session";
import { waitFor } from "@baton/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { GatewayClient, GatewayError, GatewayEvent } from "../src/client";
import { connectGateway } from "../src/client/node";
import { type GatewayFixture, openGateway, TOKEN } from "./support/gateway-fixture";

let gateway: GatewayFixture;
let client: GatewayClient;
let sessionKey: string;
let states: string[];
/** What happens before the gateway looks up a session. */
let beforeGet: () => unknown;
let looks: number;

beforeEach(async () => {
	beforeGet = () => {};
	looks = 0;
	states = [];
	const store = await openStore({ driver: "memory" });
	const sessions = store.collection<SessionValue>("sessions");
	const watched = new Proxy(sessions, {
		get(target, name: keyof Collection<SessionValue>) {
			const value = target[name];
			if (typeof value !== "function") return value;
			if (name !== "get") return value.bind(target);
			return async (id: string) => {
				looks++;
				await beforeGet();
				return target.get(id);
			};
		},
	});
	gateway = await openGateway({ store, sessions: watched });
	client = connectGateway({
		url: gateway.url,
		token: TOKEN,
		minPauseMs: 20,
		maxPauseMs: 100,
		onState: (state) => states.push(state),
	});
	sessionKey = (await client.call("sessions.create", {})).sessionKey;
});
afterEach(async () => {
	client.close();
	await gateway.close();
});

const seqOf = ({ data }: GatewayEvent) => ("seq" in data ? data.seq : -1);
const hasEnded = (events: GatewayEvent[]) => events.some(({ event }) => event === "chat.final");

it("a subscription that the server cannot take now is asked for again on the same socket", async () => {
	beforeGet = () => {
		throw new BatonError("unavailable", "The store is away.");
	};
	const events: GatewayEvent[] = [];
	const errors: GatewayError[] = [];
	const onError = (error: GatewayError) => void errors.push(error);
	client.subscribe(sessionKey, (event) => events.push(event), { after: 0, onError });
	await waitFor(() => looks >= 3, { what: "more than one try" });
	beforeGet = () => {};
	await client.send(sessionKey, "/stream 5 words");
	await waitFor(() => hasEnded(events));
	expect(events.map(seqOf)).toEqual(events.map((_, i) => i + 1));
	expect(errors).toEqual([]);
	expect(states).toEqual(["connecting", "open"]);
});

it("a subscription that is refused for good says so, and a new one can be made", async () => {
	beforeGet = () => {
		throw new Error("Broken.");
	};
	const events: GatewayEvent[] = [];
	const errors: GatewayError[] = [];
	const onError = (error: GatewayError) => void errors.push(error);
	client.subscribe(sessionKey, (event) => events.push(event), { after: 0, onError });
	await waitFor(() => errors.length > 0);
	expect(errors).toMatchObject([{ code: -32603, retryable: false }]);
	beforeGet = () => {};
	client.subscribe(sessionKey, (event) => events.push(event), { after: 0, onError });
	await client.send(sessionKey, "/stream 5 words");
	await waitFor(() => hasEnded(events));
	expect(errors).toHaveLength(1);
});

it("a closed subscription is not asked for again", async () => {
	beforeGet = () => {
		throw new BatonError("unavailable", "The store is away.");
	};
	const subscription = client.subscribe(sessionKey, () => {});
	await waitFor(() => looks >= 2);
	subscription.close();
	await client.call("health.check", {});
	const before = looks;
	await new Promise((resolve) => setTimeout(resolve, 300));
	expect(looks).toBe(before);
});

it("what a socket is told of its own turn before the subscription begins costs no event", async () => {
	const message = "/stream 60 words every 10ms";
	const events: GatewayEvent[] = [];
	await client.send(sessionKey, message);
	let open = () => {};
	const opened = new Promise<void>((resolve) => {
		open = resolve;
	});
	beforeGet = () => opened;
	client.subscribe(sessionKey, (event) => events.push(event), { after: 0 });
	const sessions = gateway.store.collection("sessions");
	await waitFor(async () => (await sessions.state(sessionKey, "events")).last >= 20);
	open();
	await waitFor(() => hasEnded(events));
	expect(events.map(seqOf)).toEqual(events.map((_, i) => i + 1));
	const text = events.map(({ event, data }) => (event === "chat.delta" ? data.text : "")).join("");
	expect(text).toBe([...demoPieces(message)].join(""));
});
