import type { ConfigProblem } from "./config-error";
import type { Setting } from "./setting";
import { SETTINGS, type SettingName, type SettingValues } from "./settings";

/** A place that settings come from. */
export interface SettingSource {
	name: string;
	values: Readonly<Record<string, string | undefined>>;
}

export interface ReadSettings {
	/** Complete only when there are no problems. */
	values: SettingValues;
	problems: ConfigProblem[];
}

/** Reads every setting from the first source that has it; collects everything that is wrong. */
export function readSettings(sources: readonly SettingSource[]): ReadSettings {
	const values: Record<string, unknown> = {};
	const problems: ConfigProblem[] = [];
	for (const [name, setting] of Object.entries(SETTINGS) as [SettingName, Setting][]) {
		const found = sources.find((source) => given(source, name) !== undefined);
		const raw = found ? given(found, name) : setting.fallback;
		if (raw === undefined) continue;
		const parsed = setting.read.safeParse(raw);
		if (parsed.success) {
			values[name] = parsed.data;
			continue;
		}
		const message = parsed.error.issues[0]?.message ?? "is not valid";
		// What a secret should have been is said; what it is, is not.
		const reason = setting.secret ? message : `"${raw}" ${message}`;
		problems.push({ name, reason, source: found?.name ?? "default" });
	}
	return { values: values as SettingValues, problems };
}

/** An empty text is no value: that is how compose files and shells leave a variable out. */
function given({ values }: SettingSource, name: string): string | undefined {
	const value = values[name]?.trim();
	return value === "" ? undefined : value;
}
