import { writeFile } from "node:fs/promises";
import { defineConfig } from "tsup";
import { gatewaySchema } from "./src/protocol/json-schema";

export default defineConfig({
	entry: {
		index: "src/index.ts",
		// Runs in a browser, which a test checks: nothing of Node in it.
		"client/index": "src/client/index.ts",
		"client/node": "src/client/node.ts",
	},
	format: ["esm"],
	dts: true,
	splitting: true,
	clean: ["!**/*.d.ts"],
	target: "node20",
	onSuccess: () =>
		writeFile("dist/gateway.schema.json", `${JSON.stringify(gatewaySchema(), null, "\t")}\n`),
});
