import { expect, it } from "vitest";
import { METHOD_PARAMS } from "../../protocol/methods";
import "../server";
import { registry } from "./registry";

it("has every method that the published schema names, and no other", () => {
	expect(registry.names.toSorted()).toEqual(Object.keys(METHOD_PARAMS).toSorted());
});

it("registers a method once, and finds it by its name alone", () => {
	const handler = async () => "mine";
	registry.register("test.mine", handler);
	expect(registry.find("test.mine")?.handler).toBe(handler);
	expect(() => registry.register("test.mine", handler)).toThrow('"test.mine"');
	expect(registry.find("constructor")).toBeUndefined();
});
