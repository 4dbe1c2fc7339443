import { tempDir } from "@baton/testkit";
import { openFilesStore } from "../src/files";
import { testStoreContract } from "../src/testing";

testStoreContract({
	name: "files",
	durable: true,
	async open() {
		const folder = await tempDir();
		let store = await openFilesStore({ dir: folder.path });
		return {
			store,
			async reopen() {
				await store.close();
				store = await openFilesStore({ dir: folder.path });
				return store;
			},
			async dispose() {
				await store.close();
				await folder.remove();
			},
		};
	},
});
