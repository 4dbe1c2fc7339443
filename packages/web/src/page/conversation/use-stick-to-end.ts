import { useCallback, useLayoutEffect, useRef } from "react";

/** How near to the end counts as there. */
const NEAR_PX = 60;

/** Keeps the end in view while the person is there; whoever scrolled up stays where they are. */
export function useStickToEnd() {
	const scroller = useRef<HTMLDivElement>(null);
	const isAtEnd = useRef(true);
	const onScroll = useCallback(() => {
		const box = scroller.current;
		if (box) isAtEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX;
	}, []);
	// After every drawing: whatever was drawn may have made it longer.
	useLayoutEffect(() => {
		const box = scroller.current;
		if (box && isAtEnd.current) box.scrollTop = box.scrollHeight;
	});
	return { scroller, onScroll };
}
