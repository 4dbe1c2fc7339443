import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { SignJWT } from "jose";
import { afterEach, describe, expect, it } from "vitest";
import { BINDINGS, cancelTask, connect, getTask, say, send } from "./door-client";
import { ADA, BOB, type DoorFixture, openDoor } from "./door-fixture";

const ISSUER = "https://issuer.example";
const AUDIENCE = "baton";

describe("who may call the A2A door", () => {
	let fixture: DoorFixture;
	afterEach(async () => {
		await fixture.close();
		expect(fixture.warnings).toEqual([]);
	});

	const rpc = (headers: Record<string, string>, method = "ListTasks", params: object = {}) =>
		fetch(fixture.url, {
			method: "POST",
			headers: { "content-type": "application/json", "a2a-version": "1.0", ...headers },
			body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
		});

	it.each<[string, Record<string, string>]>([
		["nothing", {}],
		["an empty key", { authorization: "Bearer " }],
		["a wrong key", { authorization: `Bearer ${ADA}x` }],
		["an owner instead of a key", { authorization: "Bearer ada" }],
		["another scheme", { authorization: `Basic ${ADA}` }],
		["two different keys", { authorization: `Bearer ${ADA}`, "x-api-key": BOB }],
		["a token that nobody signed", { authorization: "Bearer e30.e30." }],
	])("refuses %s with JSON, over both bindings", async (_, headers) => {
		fixture = await openDoor();
		const byRpc = await rpc(headers);
		expect(byRpc.status).toBe(401);
		expect(await byRpc.json()).toMatchObject({ jsonrpc: "2.0", error: { code: -32600 } });
		for (const path of ["/tasks", "/v1/tasks/x", "/extendedAgentCard", "/agents/demo/tasks"]) {
			const byRest = await fetch(fixture.url + path, { headers });
			expect(byRest.status).toBe(401);
			expect(await byRest.json()).toMatchObject({ error: { status: "UNAUTHENTICATED" } });
		}
	});

	it("takes a key as a bearer and in its own header, and never from the address", async () => {
		fixture = await openDoor();
		expect((await rpc({ authorization: `Bearer ${ADA}` })).status).toBe(200);
		expect((await rpc({ "x-api-key": ADA })).status).toBe(200);
		const inAddress = await fetch(`${fixture.url}/tasks?key=${ADA}&api_key=${ADA}`);
		expect(inAddress.status).toBe(401);
	});

	it("keeps callers apart, whatever is asked", async () => {
		fixture = await openDoor({ push: { allowPrivate: true } });
		const ada = await connect(fixture.url);
		const bob = await connect(fixture.url, undefined, BOB);
		const task = await send(ada, say("count to 3", { contextId: "mine" }));
		const running = await send(ada, say("/wait 60s"), { returnImmediately: true });
		const gone = /no such task/;
		const { id, contextId } = task;
		await expect(getTask(bob, id)).rejects.toThrow(gone);
		const cancel = cancelTask(bob, running.id);
		await expect(cancel).rejects.toThrow(gone);
		await expect(bob.resubscribeTask({ tenant: "", id: running.id }).next()).rejects.toThrow(gone);
		await expect(send(bob, say("x", { taskId: id }))).rejects.toThrow(gone);
		const configs = { tenant: "", taskId: id, pageSize: 0, pageToken: "" };
		await expect(bob.listTaskPushNotificationConfig(configs)).rejects.toThrow(gone);
		const listed = await (await rpc({ authorization: `Bearer ${BOB}` })).json();
		expect(listed).toMatchObject({ result: { tasks: [], totalSize: 0 } });
		for (const stolen of ["mine", contextId, running.contextId]) {
			const own = await send(bob, say("What did I say?", { contextId: stolen }));
			expect(JSON.stringify(own)).not.toContain("count to 3");
		}
		await cancelTask(ada, running.id);
	});

	it("keeps the contexts and tasks of two agents apart", async () => {
		const other = { name: "other", recovery: "retry" as const, run: sayOther };
		fixture = await openDoor({ others: [other] });
		const [one, two] = [await connect(fixture.url), await connect(`${fixture.url}/agents/other/`)];
		const mine = await send(one, say("My name is Grace.", { contextId: "shared" }));
		const theirs = await send(two, say("hi", { contextId: "shared" }));
		expect(JSON.stringify(theirs)).toContain("I am the other one.");
		const crossed = two.getTask({ tenant: "", id: mine.id, historyLength: undefined });
		await expect(crossed).rejects.toThrow(/no such task/);
	});

	it.each([
		"openai-compatible/llama3.1:8b",
		"openai-compatible/qwen:latest",
		"a (b) {c} [d]* +? 50%",
	])("serves an agent called %s at its name, and at no other", async (name) => {
		const other = { name, recovery: "retry" as const, run: sayOther };
		const begins = { name: "openai-compatible", recovery: "retry" as const, run: sayOther };
		fixture = await openDoor({ others: [begins, other] });
		expect((await fetch(`${fixture.url}/health`)).status).toBe(200);
		const place = `${fixture.url}/agents/${encodeURI(name).replace("?", "%3F")}`;
		for (const binding of BINDINGS) {
			const client = await connect(`${place}/`, binding);
			expect(JSON.stringify(await send(client, say("hi")))).toContain("I am the other one.");
		}
		const card = await fetch(`${place}/.well-known/agent-card.json`);
		expect(JSON.stringify(await card.json())).toContain(JSON.stringify(place));
		const another = `${fixture.url}/agents/openai-compatible/another`;
		expect((await fetch(`${another}/.well-known/agent-card.json`)).ok).toBe(false);
	});

	it.each(["", "a//b", "../demo"])("does not open for an agent called '%s'", async (name) => {
		const other = { name, recovery: "retry" as const, run: sayOther };
		await expect(openDoor({ others: [other] })).rejects.toThrow(/cannot be part of an address/);
		fixture = await openDoor();
	});

	it("takes tokens of the issuer it was told, each subject an owner, and no other token", async () => {
		const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
		const stranger = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
		const jwt = { issuer: ISSUER, audience: AUDIENCE, jwks: async () => publicKey };
		fixture = await openDoor({ jwt });
		const sign = (claims: object = {}, key: KeyObject = privateKey) =>
			new SignJWT({ iss: ISSUER, aud: AUDIENCE, sub: "grace", exp: inSeconds(60), ...claims })
				.setProtectedHeader({ alg: "ES256" })
				.sign(key);
		const statusOf = async (token: string) =>
			(await rpc({ authorization: `Bearer ${token}` })).status;
		expect(await statusOf(await sign())).toBe(200);
		const bad = [
			sign({ iss: "https://another.example" }),
			sign({ aud: "another" }),
			sign({ exp: inSeconds(-60) }),
			sign({ exp: undefined }),
			sign({ sub: undefined }),
			sign({}, stranger),
		];
		for (const token of await Promise.all(bad)) expect(await statusOf(token)).toBe(401);
		const secret = new TextEncoder().encode(
			publicKey.export({ type: "spki", format: "pem" }) as string,
		);
		const forged = await new SignJWT({
			iss: ISSUER,
			aud: AUDIENCE,
			sub: "grace",
			exp: inSeconds(60),
		})
			.setProtectedHeader({ alg: "HS256" })
			.sign(secret);
		expect(await statusOf(forged)).toBe(401);
		const [grace, ada] = [
			await connect(fixture.url, undefined, await sign()),
			await connect(fixture.url, undefined, await sign({ sub: "ada" })),
		];
		const { id } = await send(grace, say("count to 2"));
		for (const client of [ada, await connect(fixture.url, undefined, ADA)]) {
			const asked = getTask(client, id);
			await expect(asked).rejects.toThrow(/no such task/);
		}
	});

	it("limits how often an owner, and someone without a key, may call", async () => {
		fixture = await openDoor({ ratePerMinute: 3, refusedPerMinute: 2 });
		const statuses = async (headers: Record<string, string>) => {
			const all: number[] = [];
			for (let i = 0; i < 4; i++) {
				const response = await rpc(headers);
				all.push(response.status);
				if (response.status === 429) {
					expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
					expect(await response.json()).toMatchObject({ error: { code: -32000 } });
				}
			}
			return all;
		};
		expect(await statuses({ authorization: `Bearer ${ADA}` })).toEqual([200, 200, 200, 429]);
		expect(await statuses({})).toEqual([401, 401, 429, 429]);
		expect(await statuses({ authorization: `Bearer ${BOB}` })).toEqual([200, 200, 200, 429]);
	});
});

async function* sayOther() {
	yield { type: "message" as const, role: "assistant" as const, content: "I am the other one." };
	return undefined;
}

function inSeconds(seconds: number): number {
	return Math.floor(Date.now() / 1_000) + seconds;
}
