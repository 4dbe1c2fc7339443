import * as react3 from "@ai-sdk/react3";
import * as react4 from "@ai-sdk/react4";
import * as ai6 from "ai6";
import * as ai7 from "ai7";

/*
 * Both majors of the AI SDK. They take the same model and, as far as the tests go, the same calls;
 * their types differ, so the newer one is seen through the older one's.
 */
export const sdks: [string, typeof ai6, typeof react3][] = [
	["ai@6", ai6, react3],
	["ai@7", ai7 as unknown as typeof ai6, react4 as unknown as typeof react3],
];
