import type { Setting } from "./setting";
import { SETTING_GROUPS } from "./settings";

/** The settings as Markdown tables: what `docs/configuration.md` holds between its marks. */
export function settingsTable(): string {
	const groups = Object.entries(SETTING_GROUPS as Record<string, Record<string, Setting>>);
	return groups
		.map(([title, settings]) =>
			[
				`### ${title}`,
				"",
				"| variable | default | meaning |",
				"|---|---|---|",
				...Object.entries(settings).map(([name, setting]) => row(name, setting)),
			].join("\n"),
		)
		.join("\n\n");
}

function row(name: string, { also, fallback, shown, secret, about }: Setting): string {
	const second = also === undefined ? "" : `. \`${also}\` is taken too, where it fits`;
	const value = shown ?? (fallback === undefined ? "–" : `\`${fallback}\``);
	return `| \`${name}\`${secret ? " 🔒" : ""} | ${value} | ${about}${second} |`;
}
