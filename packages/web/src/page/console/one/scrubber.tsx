import { Icon } from "../../shell/icons";
import type { Mark } from "./marks";
import { Minimap } from "./minimap";
import type { LogSnapshot, SessionLog } from "./session-log";

/** What the buttons go from one to the next of. */
const STOPS = new Set([
	"input_admitted",
	"recovered",
	"retract",
	"abort_requested",
	"snapshot_request",
	"execute_request",
	"request_answered",
	"result",
]);

interface ScrubberProps {
	log: SessionLog;
	snapshot: LogSnapshot;
	at: number | null;
	onSelect(seq: number | null): void;
}

/** Goes back through the log, and to its end again. */
export function Scrubber({ log, snapshot, at, onSelect }: ScrubberProps) {
	const { first, last, version } = snapshot;
	const marks = log.marks.all;
	const now = at ?? last;
	const isEmpty = last < first;
	const stops = marks.filter(({ type }) => STOPS.has(type));
	const before = stops.findLast(({ seq }) => seq < now);
	const after = stops.find(({ seq }) => seq > now);
	const place = `Event ${now.toLocaleString("en")} of ${last.toLocaleString("en")}`;
	return (
		<div className="scrubber">
			<Step label="Previous mark" icon="back" to={before} onSelect={onSelect} />
			<div className="track">
				<Minimap marks={marks} first={first} last={last} version={version} />
				<input
					type="range"
					aria-label="Moment in the log"
					aria-valuetext={place}
					min={first}
					max={Math.max(first, last)}
					value={isEmpty ? first : now}
					disabled={isEmpty}
					onChange={({ target }) => {
						const seq = Number(target.value);
						onSelect(seq >= last ? null : seq);
					}}
				/>
			</div>
			<Step label="Next mark" icon="forward" to={after} onSelect={onSelect} />
			<span className="place">{isEmpty ? "No events" : place}</span>
			<button
				type="button"
				className="button go-live"
				aria-pressed={at === null}
				onClick={() => onSelect(null)}
			>
				<span className="live-dot" aria-hidden="true" />
				Live
			</button>
		</div>
	);
}

interface StepProps {
	label: string;
	icon: "back" | "forward";
	to: Mark | undefined;
	onSelect(seq: number): void;
}

function Step({ label, icon, to, onSelect }: StepProps) {
	return (
		<button
			type="button"
			className="button button-icon"
			aria-label={label}
			disabled={!to}
			onClick={() => to && onSelect(to.seq)}
		>
			<Icon name={icon} />
		</button>
	);
}
