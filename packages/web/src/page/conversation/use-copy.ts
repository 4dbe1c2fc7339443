import { useEffect, useState } from "react";

const SHOWN_MS = 1_500;

/** Copies a text, and says so for a moment. */
export function useCopy(text: string): [isCopied: boolean, copy: () => void] {
	const [isCopied, setCopied] = useState(false);
	useEffect(() => {
		if (!isCopied) return;
		const timer = setTimeout(() => setCopied(false), SHOWN_MS);
		return () => clearTimeout(timer);
	}, [isCopied]);
	const copy = () => {
		navigator.clipboard.writeText(text).then(
			() => setCopied(true),
			// Without permission there is nothing to say that the browser does not say.
			() => {},
		);
	};
	return [isCopied, copy];
}
