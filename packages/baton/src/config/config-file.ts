import { readFile } from "node:fs/promises";
import { z } from "zod";
import { ConfigError } from "./config-error";

/** The file uses the names of the variables, so that a setting has one name everywhere. */
const fileSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

export interface ConfigFile {
	path: string;
	/** As text, like the environment. */
	values: Record<string, string>;
}

/** Reads the settings in a file. One that is not there is fine unless it `mustExist`. */
export async function readConfigFile(path: string, mustExist: boolean): Promise<ConfigFile | null> {
	let content: string;
	try {
		content = await readFile(path, "utf8");
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === "ENOENT" && !mustExist) return null;
		throw wrong(path, code === "ENOENT" ? "does not exist" : `cannot be read (${code})`);
	}
	const parsed = fileSchema.safeParse(parseJson(content, path));
	if (!parsed.success) {
		const [name] = parsed.error.issues[0]?.path ?? [];
		throw wrong(
			path,
			name === undefined
				? 'is not a JSON object such as {"BATON_PORT": 4000}'
				: `"${String(name)}" is neither a text, a number nor true or false`,
		);
	}
	const values = Object.entries(parsed.data).map(([name, value]) => [name, String(value)]);
	return { path, values: Object.fromEntries(values) };
}

function parseJson(content: string, path: string): unknown {
	try {
		return JSON.parse(content);
	} catch {
		// The parser's own message quotes the file, which may hold keys.
		throw wrong(path, "is not JSON");
	}
}

function wrong(path: string, reason: string): ConfigError {
	return new ConfigError([{ name: "BATON_CONFIG", reason: `${path} ${reason}`, source: "file" }]);
}
