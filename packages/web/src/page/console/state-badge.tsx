import type { SessionState } from "@baton/protocol";
import { Icon, type IconName } from "../shell/icons";

const BADGES: Readonly<Record<SessionState, { icon: IconName; words: string }>> = {
	running: { icon: "play", words: "Running" },
	waiting: { icon: "clock", words: "Waiting" },
	done: { icon: "check", words: "Done" },
	failed: { icon: "cross", words: "Failed" },
	stopped: { icon: "stop", words: "Stopped" },
	new: { icon: "circle", words: "New" },
};

export const STATES = Object.entries(BADGES).map(([state, { words }]) => ({
	state: state as SessionState,
	words,
}));

/** How a session stands: a picture and a word, and a colour that says the same. */
export function StateBadge({ state }: { state: SessionState }) {
	const { icon, words } = BADGES[state];
	return (
		<span className="badge" data-state={state}>
			<Icon name={icon} />
			{words}
		</span>
	);
}
