import { writeFile } from "node:fs/promises";
import { defineConfig } from "tsup";
import { gatewaySchema } from "./src/protocol/json-schema";

export default defineConfig({
	entry: { index: "src/index.ts" },
	format: ["esm"],
	dts: true,
	splitting: true,
	clean: true,
	target: "node20",
	onSuccess: () =>
		writeFile("dist/gateway.schema.json", `${JSON.stringify(gatewaySchema(), null, "\t")}\n`),
});
