import { useEffect, useState } from "react";
import type { Overview } from "../link/api";
import { ChatList } from "./chat-list";
import { Icon } from "./icons";
import { chooseTheme, currentTheme, type Theme } from "./theme";

interface HeaderProps {
	chatId: string;
	overview: Overview | null;
}

export function Header({ chatId, overview }: HeaderProps) {
	return (
		<header className="header">
			<h1 className="brand">
				<svg aria-hidden="true" viewBox="0 0 32 32" className="mark">
					<rect width="32" height="32" rx="8" />
					<path d="M9 23 23 9" />
					<circle cx="9" cy="23" r="3.400" />
				</svg>
				Baton <span className="brand-sub">playground</span>
			</h1>
			<p className="agent" title={overview?.agent.notice}>
				{overview ? (
					<>
						<span className="agent-dot" aria-hidden="true" />
						<span className="visually-hidden">Agent: </span>
						{overview.agent.name}
						{overview.agent.notice && (
							<span className="visually-hidden">. {overview.agent.notice}</span>
						)}
					</>
				) : (
					" "
				)}
			</p>
			<nav className="header-actions" aria-label="Chats">
				<ChatList chats={overview?.chats ?? []} current={chatId} />
				{/* A page of its own each time: the form is empty again, too. */}
				<a className="button" href="/">
					<Icon name="plus" />
					<span className="button-text">New chat</span>
				</a>
				<ThemeButton />
			</nav>
		</header>
	);
}

function ThemeButton() {
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
