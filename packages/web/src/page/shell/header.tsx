import type { Overview } from "../link/api";
import { Brand } from "./brand";
import { ChatList } from "./chat-list";
import { Icon } from "./icons";
import { ThemeButton } from "./theme-button";

interface HeaderProps {
	chatId: string;
	overview: Overview | null;
}

export function Header({ chatId, overview }: HeaderProps) {
	return (
		<header className="header">
			<Brand part="playground" />
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
				<a className="button" href="/sessions" aria-label="All sessions">
					<Icon name="rows" />
					<span className="button-text">Sessions</span>
				</a>
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
