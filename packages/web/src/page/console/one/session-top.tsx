import type { SessionDetails } from "@baton/protocol";
import { useState } from "react";
import { Icon } from "../../shell/icons";
import { timeAgo } from "../../shell/time-ago";
import { postAbort } from "../console-api";
import { useNow } from "../list/use-now";
import { StateBadge } from "../state-badge";

interface SessionTopProps {
	sessionId: string;
	details: SessionDetails | null;
}

/** What the session is, who drives it, and what can be done about it. */
export function SessionTop({ sessionId, details }: SessionTopProps) {
	const now = useNow();
	return (
		<div className="session-top">
			<a className="button button-icon" href="/sessions" aria-label="All sessions">
				<Icon name="back" />
			</a>
			<div className="session-name">
				<h2>{details ? (details.label ?? "Untitled") : " "}</h2>
				<p>
					{details ? (
						<>
							<StateBadge state={details.state} />
							<span>
								<b>{details.agent}</b> by way of <b>{details.door}</b>, begun{" "}
								{timeAgo(details.created_at, now)}
							</span>
							<Runner details={details} />
						</>
					) : (
						" "
					)}
				</p>
			</div>
			<div className="session-actions">
				<a className="button" href={`/api/sessions/${sessionId}/export`} download>
					<Icon name="download" />
					<span className="button-text">Export</span>
				</a>
				<a className="button" href={`/?chat=${encodeURIComponent(chatOf(details, sessionId))}`}>
					<Icon name="chat" />
					<span className="button-text">Open chat</span>
				</a>
				<StopButton sessionId={sessionId} details={details} />
			</div>
		</div>
	);
}

/** Who has the lease, as far as can be known: it is renewed before it runs out. */
function Runner({ details }: { details: SessionDetails }) {
	const { runner, state } = details;
	if (runner) {
		const left = (runner.remaining_ms / 1_000).toFixed(1);
		return (
			<span className="runner" title={`Lease ${runner.token}`}>
				<Icon name="heart" />
				Runner <code>{runner.holder}</code> holds the lease for {left} s more, and renews it
			</span>
		);
	}
	const isOpen = state === "running" || state === "waiting";
	return (
		<span className="runner">
			{isOpen
				? "No runner holds the lease: another takes over within seconds"
				: "No runner: no turn is open"}
		</span>
	);
}

function StopButton({ sessionId, details }: SessionTopProps) {
	const [note, setNote] = useState("");
	const isOpen = details?.state === "running" || details?.state === "waiting";
	const stop = () => {
		setNote("Stopping…");
		postAbort(sessionId).then(
			() => setNote(""),
			(error: Error) => setNote(error.message),
		);
	};
	return (
		<>
			<button type="button" className="button danger" disabled={!isOpen} onClick={stop}>
				<Icon name="stop" />
				<span className="button-text">Stop turn</span>
			</button>
			<span role="status" className="stop-note">
				{isOpen ? note : ""}
			</span>
		</>
	);
}

const PLAIN = /^[A-Za-z0-9_-]{1,64}$/;

/** The name under which the playground finds it. */
function chatOf(details: SessionDetails | null, sessionId: string): string {
	return details && PLAIN.test(details.session_id) ? details.session_id : sessionId;
}
