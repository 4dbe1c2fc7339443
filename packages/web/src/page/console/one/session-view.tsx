"use client";

import { useState } from "react";
import { ConsoleHeader } from "../console-header";
import { LiveSign } from "../live-sign";
import { Inspector } from "./inspector";
import { LossCheck } from "./loss-check";
import { momentOf } from "./moment";
import { Scrubber } from "./scrubber";
import { SessionTop } from "./session-top";
import { TEXT_EVENTS, textSoFar } from "./text-so-far";
import { Timeline } from "./timeline";
import { useDetails } from "./use-details";
import { useSessionLog } from "./use-session-log";
import { Withdrawals } from "./withdrawals";

/** One session: every event of it, live, and any earlier moment. */
export function SessionView({ sessionId }: { sessionId: string }) {
	const { log, snapshot } = useSessionLog(sessionId);
	const { first, last, error } = snapshot;
	const [chosen, setChosen] = useState<number | null>(null);
	const details = useDetails(sessionId, log.marks.lastOfTurn);
	if (error) return <Unreadable message={error.message} />;

	const at = chosen !== null && chosen < last ? Math.max(chosen, first) : null;
	const seq = at ?? last;
	const past = log.marks.all.slice(0, log.marks.indexAfter(seq));
	const moment = momentOf(past);
	return (
		<div className="shell">
			<a className="skip" href="#events">
				Skip to the events
			</a>
			<ConsoleHeader />
			<main className="session-page">
				<SessionTop sessionId={sessionId} details={details} />
				<Scrubber log={log} snapshot={snapshot} at={at} onSelect={setChosen} />
				<div className="verdict">
					<LossCheck log={log} snapshot={snapshot} />
					{first > 1 && last > 0 && (
						<p className="quiet">
							{`Events 1–${(first - 1).toLocaleString("en")} have served their time and were dropped; the messages are kept.`}
						</p>
					)}
					<LiveSign link={snapshot.link} />
				</div>
				<div className="session-panes" id="events">
					<Timeline
						log={log}
						snapshot={snapshot}
						at={at}
						withdrawals={new Withdrawals(past)}
						alsoWanted={[Math.max(moment.turnSeq, seq - TEXT_EVENTS), seq]}
						onSelect={setChosen}
					/>
					<Inspector
						seq={seq}
						event={log.events.get(seq)}
						moment={moment}
						text={textSoFar(log.events, moment, seq)}
						isLive={at === null}
					/>
				</div>
			</main>
		</div>
	);
}

function Unreadable({ message }: { message: string }) {
	return (
		<div className="shell">
			<ConsoleHeader />
			<main className="nowhere">
				<h2>{message}</h2>
				<a className="button" href="/sessions">
					All sessions
				</a>
			</main>
		</div>
	);
}
