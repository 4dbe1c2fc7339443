import { useEffect, useState } from "react";
import { fetchOverview, type Overview } from "../link/api";

/** Which agent answers, and the earlier chats; read again whenever a turn ends. */
export function useOverview(isBusy: boolean): Overview | null {
	const [overview, setOverview] = useState<Overview | null>(null);
	useEffect(() => {
		if (isBusy) return;
		let isGone = false;
		fetchOverview().then(
			(read) => isGone || setOverview(read),
			// The list is a convenience; the conversation says when the server is away.
			() => {},
		);
		return () => {
			isGone = true;
		};
	}, [isBusy]);
	return overview;
}
