import { useEffect, useState } from "react";
import { SECTIONS } from "./sections";

export type FieldValue = string | boolean | string[];
type Values = Record<string, FieldValue>;

/** Fields whose values are not kept anywhere. */
const NEVER_KEPT = new Set(
	SECTIONS.flatMap(({ fields }) => fields)
		.filter(({ kind }) => kind === "password" || kind === "file")
		.map(({ name }) => name),
);

const START: Values = { hours: "32", badge: "#0f5c4d" };

/** What stands in the form, through a reload of this tab. */
export function useDraft(chatId: string) {
	const key = `baton:draft:${chatId}`;
	const [values, setValues] = useState<Values>(START);
	const [isRestored, setRestored] = useState(false);
	useEffect(() => {
		setValues({ ...START, ...read(key) });
		setRestored(true);
	}, [key]);
	useEffect(() => {
		if (!isRestored) return;
		const kept = Object.entries(values).filter(([name]) => !NEVER_KEPT.has(name));
		try {
			sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(kept)));
		} catch {
			// Without storage a reload empties the form, as it does elsewhere.
		}
	}, [key, values, isRestored]);
	const set = (name: string, value: FieldValue) =>
		setValues((before) => ({ ...before, [name]: value }));
	return { values, set, clear: () => setValues(START), isRestored };
}

function read(key: string): Values {
	try {
		return JSON.parse(sessionStorage.getItem(key) ?? "{}") as Values;
	} catch {
		return {};
	}
}
