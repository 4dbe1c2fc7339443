import type { SessionRow } from "@baton/protocol";
import { memo } from "react";
import { timeAgo } from "../../shell/time-ago";
import { StateBadge } from "../state-badge";

interface SessionLineProps {
	session: SessionRow;
	index: number;
	top: number;
	/** Minutes, so that ages are shown anew when they change. */
	now: number;
}

/** One session in the list. */
export const SessionLine = memo(function SessionLine(props: SessionLineProps) {
	const { session, index, top, now } = props;
	const { id, label, state, last_words: words, door, agent, updated_at: updated } = session;
	return (
		<li className="session-line" style={{ transform: `translateY(${top}px)` }}>
			<a href={`/sessions/${id}`} data-index={index}>
				<StateBadge state={state} />
				<span className="session-what">
					<span className="session-title">{label ?? "Untitled"}</span>
					<span className="session-words">
						{words ? (
							<>
								<span className="session-who">{words.role === "user" ? "Person" : "Agent"}</span>{" "}
								{words.text}
							</>
						) : (
							"Nothing said yet"
						)}
					</span>
				</span>
				<span className="session-door">
					<span className="visually-hidden">by way of </span>
					{door}
				</span>
				<span className="session-agent">
					<span className="visually-hidden">with </span>
					{agent}
				</span>
				<span className="session-count">
					{session.last.toLocaleString("en")}
					<span className="visually-hidden"> events</span>
				</span>
				<time className="session-age" dateTime={new Date(updated).toISOString()}>
					{timeAgo(updated, now)}
				</time>
			</a>
		</li>
	);
});
