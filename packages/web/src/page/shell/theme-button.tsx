import { useEffect, useState } from "react";
import { Icon } from "./icons";
import { chooseTheme, currentTheme, type Theme } from "./theme";

export function ThemeButton() {
	const [theme, setTheme] = useState<Theme | null>(null);
	useEffect(() => setTheme(currentTheme()), []);
	const other = theme === "dark" ? "light" : "dark";
	return (
		<button
			type="button"
			className="button button-icon"
			aria-label={`Use ${other} colours`}
			onClick={() => {
				chooseTheme(other);
				setTheme(other);
			}}
		>
			{other === "dark" ? <Icon name="moon" /> : <Icon name="sun" />}
		</button>
	);
}
