export type Theme = "light" | "dark";

const KEY = "baton:theme";

/** Runs in the head: the person's choice, or else the system's. */
export const THEME_SCRIPT = `try{var t=localStorage.getItem("${KEY}");t&&(document.documentElement.dataset.theme=t)}catch{}`;

export function currentTheme(): Theme {
	const chosen = document.documentElement.dataset.theme;
	if (chosen === "light" || chosen === "dark") return chosen;
	return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

export function chooseTheme(theme: Theme): void {
	document.documentElement.dataset.theme = theme;
	try {
		localStorage.setItem(KEY, theme);
	} catch {
		// It lasts as long as the page then.
	}
}
