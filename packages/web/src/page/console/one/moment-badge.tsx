import { Icon, type IconName } from "../../shell/icons";
import type { Moment } from "./moment";

const BADGES: Readonly<Record<Moment["state"], [IconName, string, string]>> = {
	empty: ["circle", "Nothing yet", "new"],
	queued: ["clock", "Queued", "waiting"],
	running: ["play", "Running", "running"],
	waiting: ["clock", "Waiting for the page", "waiting"],
	done: ["check", "Done", "done"],
	failed: ["cross", "Failed", "failed"],
	stopped: ["stop", "Stopped", "stopped"],
	dropped: ["stop", "Dropped", "stopped"],
};

/** How the session stood at a moment. */
export function MomentBadge({ moment }: { moment: Moment }) {
	const [icon, words, look] = BADGES[moment.state];
	return (
		<span className="badge" data-state={look}>
			<Icon name={icon} />
			{words}
		</span>
	);
}
