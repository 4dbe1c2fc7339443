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
	/** Values under a second name that were left alone. */
	ignored: { name: string; also: string; reason: string }[];
}

/** Reads every setting from the first source that has it; collects everything that is wrong. */
export function readSettings(sources: readonly SettingSource[]): ReadSettings {
	const values: Record<string, unknown> = {};
	const problems: ConfigProblem[] = [];
	const ignored: ReadSettings["ignored"] = [];
	for (const [name, setting] of Object.entries(SETTINGS) as [SettingName, Setting][]) {
		const { also, read } = setting;
		const second = (source: SettingSource) =>
			also === undefined ? undefined : given(source, also);
		const fits = (raw: string | undefined) => raw !== undefined && read.safeParse(raw).success;
		const found = sources.find(
			(source) => given(source, name) !== undefined || fits(second(source)),
		);
		const raw = found ? (given(found, name) ?? second(found)) : setting.fallback;
		const other = sources.map(second).find((value) => value !== undefined && !fits(value));
		if (also !== undefined && other !== undefined && (!found || given(found, name) === undefined)) {
			ignored.push({ name, also, reason: reasonOf(setting, other) });
		}
		if (raw === undefined) continue;
		const parsed = read.safeParse(raw);
		if (parsed.success) values[name] = parsed.data;
		else problems.push({ name, reason: reasonOf(setting, raw), source: found?.name ?? "default" });
	}
	return { values: values as SettingValues, problems, ignored };
}

function reasonOf({ read, secret }: Setting, raw: string): string {
	const message = read.safeParse(raw).error?.issues[0]?.message ?? "is not valid";
	// What a secret should have been is said; what it is, is not.
	return secret ? message : `"${raw}" ${message}`;
}

/** An empty text is no value: that is how compose files and shells leave a variable out. */
function given({ values }: SettingSource, name: string): string | undefined {
	const value = values[name]?.trim();
	return value === "" ? undefined : value;
}
