/** loading: nothing is there yet. live: changes come as they happen. lost: it is tried again. */
export type LinkState = "loading" | "live" | "lost";

const WORDS: Readonly<Record<LinkState, string>> = {
	loading: "Connecting",
	live: "Live",
	lost: "Connection lost, trying again",
};

/** Whether what is shown is what is. */
export function LiveSign({ link }: { link: LinkState }) {
	return (
		<span className="live-sign" data-link={link} role="status">
			<span className="live-dot" aria-hidden="true" />
			{WORDS[link]}
		</span>
	);
}
