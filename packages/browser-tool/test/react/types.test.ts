import type { useChat as useChat3 } from "@ai-sdk/react3";
import type { useChat as useChat4 } from "@ai-sdk/react4";
import { lastAssistantMessageIsCompleteWithToolCalls as complete6 } from "ai6";
import { lastAssistantMessageIsCompleteWithToolCalls as complete7 } from "ai7";
import { expect, expectTypeOf, it } from "vitest";
import type { BrowserTools } from "../../src/react";

type Options<Hook extends (...args: never[]) => unknown> = NonNullable<Parameters<Hook>[0]>;
type OnToolCall<Hook extends (...args: never[]) => unknown> = NonNullable<
	Extract<Options<Hook>, { onToolCall?: unknown }>["onToolCall"]
>;

it("the hook fits useChat of both versions by its types", () => {
	type Connect = Parameters<BrowserTools["connect"]>[0];

	expectTypeOf<BrowserTools["onToolCall"]>().toExtend<OnToolCall<typeof useChat3>>();
	expectTypeOf<BrowserTools["onToolCall"]>().toExtend<OnToolCall<typeof useChat4>>();
	expectTypeOf<ReturnType<typeof useChat3>>().toExtend<Connect>();
	expectTypeOf<ReturnType<typeof useChat4>>().toExtend<Connect>();
	expect(complete7.name).toBe(complete6.name);
});
