import { useEffect, useId, useRef, useState } from "react";
import type { ListedChat } from "../link/api";
import { Icon } from "./icons";
import { timeAgo } from "./time-ago";

interface ChatListProps {
	chats: readonly ListedChat[];
	current: string;
}

/** Earlier chats, behind a button. */
export function ChatList({ chats, current }: ChatListProps) {
	const [isOpen, setOpen] = useState(false);
	const id = useId();
	const holder = useRef<HTMLDivElement>(null);
	useEffect(() => {
		if (!isOpen) return;
		const leave = (event: Event) => {
			const isKey = event instanceof KeyboardEvent;
			if (isKey ? event.key === "Escape" : !holder.current?.contains(event.target as Node)) {
				setOpen(false);
				if (isKey) holder.current?.querySelector("button")?.focus();
			}
		};
		document.addEventListener("keydown", leave);
		document.addEventListener("pointerdown", leave);
		return () => {
			document.removeEventListener("keydown", leave);
			document.removeEventListener("pointerdown", leave);
		};
	}, [isOpen]);
	return (
		<div className="menu" ref={holder}>
			<button
				type="button"
				className="button"
				aria-expanded={isOpen}
				aria-controls={id}
				aria-label="Earlier chats"
				onClick={() => setOpen(!isOpen)}
			>
				<Icon name="list" />
				<span className="button-text">Chats</span>
			</button>
			<div className="menu-panel" id={id} hidden={!isOpen}>
				{chats.length === 0 && <p className="menu-empty">No earlier chats yet.</p>}
				<ul>
					{chats.map((chat) => (
						<li key={chat.id}>
							<a href={`/?chat=${chat.id}`} aria-current={chat.id === current ? "page" : undefined}>
								<span className="menu-title">{chat.title}</span>
								<time dateTime={new Date(chat.updatedAt).toISOString()}>
									{timeAgo(chat.updatedAt, Date.now())}
								</time>
							</a>
						</li>
					))}
				</ul>
			</div>
		</div>
	);
}
