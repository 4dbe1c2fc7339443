import { testStoreContract } from "@baton/session/testing";
import { openMapStore } from "../custom-store.mjs";

testStoreContract({
	name: "the example's",
	durable: false,
	async open() {
		const store = openMapStore();
		return { store, dispose: () => store.close() };
	},
});
