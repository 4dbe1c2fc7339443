import { describe, expect, it } from "vitest";
import type { HistoryMessage } from "../agent";
import { chatReply } from "./chat";
import { isFormMessage } from "./is-form-message";

const user = (content: string): HistoryMessage => ({ role: "user", content });

describe("chatReply", () => {
	it.each<[string, HistoryMessage[], string | RegExp]>([
		["Hello, my name is Alice.", [], "Hello Alice, nice to meet you!"],
		["What is my name?", [user("Hello, my name is Alice.")], "Your name is Alice."],
		["what's my name", [user("I'm Alice"), user("call me Bob")], "Your name is Bob."],
		["What is my name?", [], "You have not told me your name yet."],
		["What is my name?", [{ role: "assistant", content: "I am Baton." }], /have not told me/],
		["What did I say?", [user("one"), user("two")], "You said: “two”"],
		["Thanks!", [user("I am Alice")], "You are welcome, Alice."],
		["Who are you?", [], /demo agent.*offline/],
		["Hi", [], /^Hello! I am Baton's demo agent/],
		["Tell me of the sea", [], /offline.*You said: “Tell me of the sea”$/],
		["I am happy", [], /You said/],
	])("%s", (message, history, reply) => {
		expect(chatReply(message, history)).toEqual(
			typeof reply === "string" ? reply : expect.stringMatching(reply),
		);
	});
});

describe("isFormMessage", () => {
	it.each([
		["I am Ada Lovelace, ada@example.org, start in March", true],
		["Fill the form, please.", true],
		["submit it", true],
		["Hello, my name is Alice.", false],
		["What is my name?", false],
		["Is ada@example.org a good address?", false],
	])("%s: %s", (message, expected) => {
		expect(isFormMessage(message, undefined)).toBe(expected);
	});

	it("is one when there is a document to take the answers from", () => {
		expect(isFormMessage("here you are", "Name: Ada")).toBe(true);
	});
});
