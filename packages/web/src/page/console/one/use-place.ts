import { useLayoutEffect, useRef } from "react";
import type { ListWindow } from "../use-window";

/**
 * Where a list that grows is scrolled to: a chosen row is brought into view once; without one the end
 * is kept in view, until the person scrolls away from it, and again when they come back.
 */
export function usePlace(list: ListWindow, chosen: number | null, count: number) {
	const place = useRef({ chosen, isAtEnd: true, top: 0 });
	useLayoutEffect(() => {
		const { current } = place;
		const box = list.scroller.current;
		const isNew = chosen !== current.chosen;
		// The person may have scrolled, and the event of it be still to come.
		if (box && box.scrollTop < current.top - 1) current.isAtEnd = false;
		if (chosen === null && isNew) current.isAtEnd = true;
		if (chosen !== null && isNew) list.show(chosen);
		else if (chosen === null && current.isAtEnd) list.show(count - 1);
		current.chosen = chosen;
		current.top = box?.scrollTop ?? 0;
	});
	const onScroll = () => {
		list.onScroll();
		place.current.isAtEnd = list.isAtEnd();
		place.current.top = list.scroller.current?.scrollTop ?? 0;
	};
	return { onScroll };
}
