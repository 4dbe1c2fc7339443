import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = new URL("../", import.meta.url);

interface BundleOptions {
	/** The name under which the page finds the exports. */
	globalName?: string;
	/** Packages in place of others. */
	alias?: Record<string, string>;
}

/** A file and all that it imports, as one script for a page. */
export async function bundle(file: string, options: BundleOptions = {}): Promise<string> {
	const { outputFiles } = await build({
		absWorkingDir: fileURLToPath(here),
		entryPoints: [fileURLToPath(new URL(file, here))],
		bundle: true,
		write: false,
		format: "iife",
		target: "es2022",
		jsx: "automatic",
		define: { "process.env.NODE_ENV": '"development"' },
		logLevel: "error",
		...options,
		// With the compiler of templates.
		alias: { vue: "vue/dist/vue.esm-bundler.js", ...options.alias },
	});
	return outputFiles[0]!.text;
}
