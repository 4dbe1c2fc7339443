import { Brand } from "../shell/brand";
import { Icon } from "../shell/icons";
import { ThemeButton } from "../shell/theme-button";

/** The top of the console's pages. */
export function ConsoleHeader() {
	return (
		<header className="header">
			<Brand part="sessions" />
			<nav className="header-actions" aria-label="Baton">
				<a className="button" href="/">
					<Icon name="chat" />
					<span className="button-text">Playground</span>
				</a>
				<ThemeButton />
			</nav>
		</header>
	);
}
