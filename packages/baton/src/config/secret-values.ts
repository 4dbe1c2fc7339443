import type { SettingSource } from "./read-settings";
import type { Setting } from "./setting";
import { SETTINGS } from "./settings";

/** Every secret that the sources hold, also those that lost against another source. */
export function secretValues(sources: readonly SettingSource[]): string[] {
	const secret = Object.entries(SETTINGS as Record<string, Setting>)
		.filter(([, setting]) => setting.secret)
		.flatMap(([name, { also }]) => (also === undefined ? [name] : [name, also]));
	return sources.flatMap(({ values }) =>
		secret.flatMap((name) => {
			const value = values[name]?.trim();
			return value ? secretsIn(name, value) : [];
		}),
	);
}

/** The parts of a setting's value that are secret by themselves. */
function secretsIn(name: string, value: string): string[] {
	if (name === "BATON_API_KEYS") {
		const pairs = value.split(",").map((pair) => pair.trim());
		return pairs.map((pair) => pair.slice(pair.indexOf(":") + 1));
	}
	if (name === "OTEL_EXPORTER_OTLP_HEADERS") {
		return value.split(",").map((pair) => pair.slice(pair.indexOf("=") + 1).trim());
	}
	if (value.includes("://")) {
		const credentials = /:\/\/([^/]*)@/.exec(value)?.[1];
		const password = credentials?.slice(credentials.indexOf(":") + 1);
		return [credentials, password].filter((part) => part !== undefined);
	}
	return [value];
}
