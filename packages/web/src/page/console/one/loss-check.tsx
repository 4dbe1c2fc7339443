import { Icon } from "../../shell/icons";
import type { SeqProblem } from "./seq-ledger";
import type { LogSnapshot, SessionLog } from "./session-log";

const count = (number: number) => number.toLocaleString("en");

/** Whether anything was lost, by the numbers that this page has really received. */
export function LossCheck({ log, snapshot }: { log: SessionLog; snapshot: LogSnapshot }) {
	const { first, last, checking, link } = snapshot;
	const total = Math.max(0, last - first + 1);
	const received = log.ledger.countIn(first, last);
	const { problems } = log.ledger;
	if (problems.length > 0) {
		return (
			<p className="loss-check" data-verdict="bad" role="alert">
				<Icon name="warn" />
				{problems.slice(0, 3).map(wordsOf).join(" ")}
			</p>
		);
	}
	if (total === 0) return <p className="loss-check quiet">No events to count.</p>;
	if (checking !== null) {
		return (
			<p className="loss-check">
				Counting: {count(checking)} of {count(total)}
			</p>
		);
	}
	if (link === "loading") return <p className="loss-check quiet">Reading…</p>;
	if (received < total) {
		return (
			<p className="loss-check">
				{`Received ${count(received)} of ${count(total)}, none missing`}
				<button type="button" className="small" onClick={() => void log.checkAll().catch(() => {})}>
					Count all {count(total)}
				</button>
			</p>
		);
	}
	return (
		<p className="loss-check" data-verdict="good">
			<Icon name="check" />
			{`Events ${count(first)}–${count(last)}: none missing, none twice`}
		</p>
	);
}

function wordsOf({ kind, from, to }: SeqProblem): string {
	const events = from === to ? `Event ${count(from)}` : `Events ${count(from)}–${count(to)}`;
	if (kind === "repeated") return `${events} came twice.`;
	return `${events} ${from === to ? "is" : "are"} missing.`;
}
