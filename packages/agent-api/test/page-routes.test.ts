import { afterEach, describe, expect, it } from "vitest";
import { ADA, type ApiFixture, allLines, hang, lines, openApi, say, scripted } from "./api-fixture";

/** An agent that asks the page once, and says what it got. */
const asking = scripted(async function* (turn) {
	const answer = await turn.ask({ type: "snapshot_request", instruction: "Read" });
	yield { type: "message", role: "assistant", content: answer.type, delta: true };
	return undefined;
});

describe("what a page's server asks of the agent API", () => {
	let open: ApiFixture | undefined;
	const openWith = async (...args: Parameters<typeof openApi>) => {
		open = await openApi(...args);
		return open;
	};
	afterEach(async () => {
		await open?.close();
		expect(open?.warnings ?? []).toEqual([]);
		open = undefined;
	});
	type Page = { sessions: Record<string, unknown>[]; cursor: string };
	const pageOf = async (response: Response) => (await response.json()) as Page;
	const list = async (query = "", headers: Record<string, string> = {}) => {
		const request = new Request(`http://127.0.0.1/agent-api/sessions${query}`, {
			headers: { authorization: `Bearer ${ADA}`, ...headers },
		});
		return open!.api.fetch(request);
	};

	it("a claimed request is answered under its claim alone", async () => {
		const { run, post } = await openWith(asking);
		const answer = lines(await run({ message: "go", session_id: "chat" }));
		const { value: relay } = await answer.next();
		let requestId = "";
		for await (const line of answer) {
			if (line.type !== "snapshot_request") continue;
			requestId = String(line.requestId);
			break;
		}
		const claim = (claim_id: string) =>
			post("claim", { session_id: "chat", request_id: requestId, claim_id });
		expect((await claim("tab-1")).status).toBe(200);
		expect((await claim("tab-1")).status).toBe(200);
		const second = await claim("tab-2");
		expect(second.status).toBe(409);
		expect(await second.json()).toMatchObject({ errorCode: "CLAIMED" });
		const respond = (more: object) =>
			post("relay", {
				type: "relay.respond",
				sessionId: relay?.sessionId,
				token: relay?.token,
				response: { type: "snapshot_response", requestId, fields: [] },
				...more,
			});
		expect((await respond({})).status).toBe(409);
		expect((await respond({ claimId: "tab-1" })).status).toBe(200);
	});

	it.each([
		["cold", "cold"],
		["some other word", undefined],
	])("an answer notes how its bringer goes on: %s", async (resume, noted) => {
		const { run, post } = await openWith(asking);
		const answer = lines(await run({ message: "go" }));
		const { value: relay } = await answer.next();
		for await (const { type, requestId } of answer) {
			if (type !== "snapshot_request") continue;
			const response = { type: "snapshot_response", requestId, fields: [] };
			const credentials = { sessionId: relay?.sessionId, token: relay?.token };
			await post("relay", { type: "relay.respond", ...credentials, response, resume });
			break;
		}
		const [{ id }] = (await pageOf(await list())).sessions as { id: string }[] as [{ id: string }];
		const all = await allLines(await run({ attach: true, session_id: id, after: 0 }));
		expect(all.find(({ type }) => type === "request_answered")?.resume).toBe(noted);
	});

	it("a caller says by way of what its sessions come", async () => {
		const { api } = await openWith(scripted(say("Hi.")));
		const by = (door: string) =>
			api.fetch(
				new Request("http://127.0.0.1/agent-api/run", {
					method: "POST",
					headers: { authorization: `Bearer ${ADA}`, "baton-door": door },
					body: JSON.stringify({ type: "agent.run", message: "hi" }),
				}),
			);
		await allLines(await by("kiosk"));
		expect((await pageOf(await list())).sessions).toMatchObject([{ door: "kiosk" }]);
		expect((await by("Not a door")).status).toBe(400);
	});

	it.each([
		[{ session_id: "chat", request_id: "r", claim_id: "not plain" }, 400],
		[{ session_id: "chat", claim_id: "tab" }, 400],
		[{ session_id: "no such chat", request_id: "r", claim_id: "tab" }, 404],
		[{ session_id: "chat", request_id: "no such request", claim_id: "tab" }, 404],
	])("refuses the claim %j with %i", async (body, status) => {
		const { run, post } = await openWith(scripted(say("Hi.")));
		await allLines(await run({ message: "hi", session_id: "chat" }));
		expect((await post("claim", body)).status).toBe(status);
	});

	it("an attach that does not follow ends where the log ends now", async () => {
		const { run } = await openWith(scripted(hang));
		const running = lines(await run({ message: "go", session_id: "chat" }));
		for await (const line of running) if (line.type === "message") break;
		const now = await allLines(await run({ session_id: "chat", attach: true, follow: false }));
		expect(now.map(({ type }) => type)).toEqual([
			"relay.session",
			"input_admitted",
			"init",
			"message",
		]);
		const after = now.at(-1)?.seq;
		const rest = await run({ session_id: "chat", attach: true, follow: false, after });
		expect((await allLines(rest)).map(({ type }) => type)).toEqual(["relay.session"]);
	});

	it("follow without attach is refused", async () => {
		const { run } = await openWith(scripted(say("Hi.")));
		expect((await run({ message: "hi", follow: false })).status).toBe(400);
	});

	it("lists the owner's sessions by the names that the owner gave them, page by page", async () => {
		const { run } = await openWith(scripted(say("Hi.")));
		for (const name of ["first", "second"]) {
			await allLines(await run({ message: `  This is\n the ${name} one`, session_id: name }));
		}
		await allLines(
			await run({ message: "of bob", session_id: "bobs" }, "bob-key-0123456789abcdef"),
		);
		const page = await pageOf(await list("?limit=1"));
		expect(page.sessions).toMatchObject([
			{ session_id: "second", label: "This is the second one", agent: "scripted" },
		]);
		const next = await pageOf(await list(`?limit=1&cursor=${encodeURIComponent(page.cursor)}`));
		expect(next.sessions).toMatchObject([{ session_id: "first" }]);
		expect((await pageOf(await list())).sessions).toHaveLength(2);
		expect((await list("?limit=0")).status).toBe(400);
		expect((await list("?limit=1e2")).status).toBe(400);
	});

	it("keeps the people whom one caller serves apart", async () => {
		const { api } = await openWith(scripted(say("Hi.")));
		const as = (user: string) =>
			api.fetch(
				new Request("http://127.0.0.1/agent-api/run", {
					method: "POST",
					headers: { authorization: `Bearer ${ADA}`, "baton-user": user },
					body: JSON.stringify({ type: "agent.run", message: user, session_id: "chat" }),
				}),
			);
		await allLines(await as("eve"));
		await allLines(await as("mallory"));
		const seen = async (user: string) =>
			(await pageOf(await list("", { "baton-user": user }))).sessions;
		expect(await seen("eve")).toMatchObject([{ session_id: "chat", label: "eve" }]);
		expect(await seen("mallory")).toMatchObject([{ label: "mallory" }]);
		expect((await pageOf(await list())).sessions).toEqual([]);
		expect((await as("not plain")).status).toBe(400);
	});

	it("serves a caller whose owner is known without a key, under that owner alone", async () => {
		const { api, run } = await openWith(scripted(say("Hi.")));
		await allLines(await run({ message: "mine", session_id: "chat" }));
		const sessionsOf = async (owner: string) => {
			const request = new Request("http://127.0.0.1/agent-api/sessions");
			return (await pageOf(await api.fetchAs(owner, request))).sessions;
		};
		expect(await sessionsOf("ada")).toHaveLength(1);
		expect(await sessionsOf("bob")).toHaveLength(0);
	});
});
