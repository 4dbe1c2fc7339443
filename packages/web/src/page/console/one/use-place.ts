import { useLayoutEffect, useRef } from "react";
import type { ListWindow } from "../use-window";

/**
 * Where a list that grows is scrolled to: a chosen row is brought into view once; without one the end
 * is kept in view, until the person scrolls away from it, and again when they come back.
 */
export function usePlace(list: ListWindow, chosen: number | null, count: number) {
	const place = useRef({ chosen, isAtEnd: true, top: 0, height: 0 });
	useLayoutEffect(() => {
		const { current } = place;
		const box = list.scroller.current;
		const isNew = chosen !== current.chosen;
		// The person may have scrolled, and the event of it be still to come. A box that became taller
		// moves up by itself.
		const lowest = Math.min(current.top, current.height - (box?.clientHeight ?? 0));
		if (box && box.scrollTop < lowest - 1) current.isAtEnd = false;
		if (chosen === null && isNew) current.isAtEnd = true;
		if (chosen !== null && isNew) list.show(chosen);
		else if (chosen === null && current.isAtEnd) list.show(count - 1);
		current.chosen = chosen;
		remember();
	});
	const remember = () => {
		const { scrollTop = 0, scrollHeight = 0 } = list.scroller.current ?? {};
		place.current.top = scrollTop;
		place.current.height = scrollHeight;
	};
	const onScroll = () => {
		list.onScroll();
		place.current.isAtEnd = list.isAtEnd();
		remember();
	};
	return { onScroll };
}
