import type { LinkState } from "../link/conversation-link";

const WORDS: Partial<Record<LinkState, string>> = {
	lost: "Connection lost. Trying again; nothing is lost.",
	back: "Connected again.",
};

/** Whether the server can be reached. It lies over the pane, so that nothing moves. */
export function LinkBanner({ state }: { state: LinkState }) {
	return (
		<p className="link-banner" role="status" data-state={state}>
			{WORDS[state]}
		</p>
	);
}
