import type { SessionValue } from "@baton/agent";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ApiFixture, allLines, openApi, say, scripted } from "./api-fixture";

describe("a cursor that cannot be continued", () => {
	let fixture: ApiFixture;
	beforeEach(async () => {
		fixture = await openApi(scripted(say("Hello ", "world")));
		await allLines(await fixture.run({ message: "one", session_id: "chat" }));
		await allLines(await fixture.run({ message: "two", session_id: "chat" }));
	});
	afterEach(async () => {
		await fixture.close();
		expect(fixture.warnings).toEqual([]);
	});

	const attach = async (after: number) =>
		allLines(await fixture.run({ attach: true, session_id: "chat", after }));

	it("beyond the log gets a reset and everything that is there, then the end", async () => {
		const [, reset, ...rest] = await attach(99);
		expect(reset).toMatchObject({ type: "reset", reason: "diverged", first: 1 });
		expect(reset?.messages).toMatchObject([
			{ role: "user", content: "one" },
			{ role: "assistant", content: "Hello world" },
			{ role: "user", content: "two" },
			{ role: "assistant", content: "Hello world" },
		]);
		expect(rest.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
	});

	it("before what is kept gets a reset and what is kept, then the end", async () => {
		const sessions = fixture.store.collection<SessionValue>("sessions");
		const [record] = (await sessions.list({ group: "ada" })).records;
		await sessions.trim(record!.id, "events", 6);
		const [, reset, ...rest] = await attach(2);
		expect(reset).toMatchObject({ type: "reset", reason: "trimmed", first: 6 });
		expect(rest.map(({ seq }) => seq)).toEqual([6, 7, 8, 9, 10]);
	});

	it("at the end of the log gets nothing, and closes", async () => {
		expect((await attach(10)).map(({ type }) => type)).toEqual(["relay.session"]);
	});
});
