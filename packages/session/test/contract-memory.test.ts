import { openMemoryStore } from "../src/memory";
import { testStoreContract } from "../src/testing";

testStoreContract({
	name: "memory",
	durable: false,
	async open() {
		const store = openMemoryStore();
		return { store, dispose: () => store.close() };
	},
});
