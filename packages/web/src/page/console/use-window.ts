import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

/** Browsers draw nothing beyond some ten million pixels: a longer list is scrolled in larger steps. */
const TALLEST = 8_000_000;

interface WindowOptions {
	count: number;
	/** Every row has it. */
	rowHeight: number;
	/** Rows beyond the edges that are there already. */
	overscan?: number;
}

export interface ListWindow {
	scroller: RefObject<HTMLDivElement | null>;
	onScroll(): void;
	/** The rows to draw: from `first` up to, and without, `end`. */
	first: number;
	end: number;
	/** Of the whole list. */
	height: number;
	/** Where a row stands. */
	topOf(index: number): number;
	/** Brings a row into view: no further than needed, or to the middle when it is far away. */
	show(index: number): void;
	isAtEnd(): boolean;
}

/**
 * Which rows of a long list are in view. Rows have one height, so it is arithmetic: it costs the same
 * for ten rows and for a million (docs/decisions/0018).
 */
export function useWindow({ count, rowHeight, overscan = 6 }: WindowOptions): ListWindow {
	const scroller = useRef<HTMLDivElement>(null);
	const [view, setView] = useState({ top: 0, height: 0 });
	const onScroll = useCallback(() => {
		const { scrollTop: top = 0, clientHeight: height = 0 } = scroller.current ?? {};
		setView((now) => (now.top === top && now.height === height ? now : { top, height }));
	}, []);
	useLayoutEffect(onScroll, [onScroll]);
	useEffect(() => {
		const observer = new ResizeObserver(onScroll);
		if (scroller.current) observer.observe(scroller.current);
		return () => observer.disconnect();
	}, [onScroll]);

	const total = count * rowHeight;
	const height = Math.min(total, TALLEST);
	/** How far the list moves for each pixel that is scrolled. */
	const step = height === total ? 1 : (total - view.height) / (height - view.height);
	const offset = view.top * step;
	const shift = view.top - offset;
	const first = Math.max(0, Math.min(count, Math.floor(offset / rowHeight) - overscan));
	const end = Math.min(count, Math.ceil((offset + view.height) / rowHeight) + overscan);

	const show: ListWindow["show"] = (index) => {
		const box = scroller.current;
		if (!box) return;
		const visible = box.clientHeight;
		const now = box.scrollTop * step;
		const top = index * rowHeight;
		const bottom = top + rowHeight - visible;
		const nearest = top < now ? top : Math.max(now, bottom);
		const isFar = Math.abs(nearest - now) > visible && index < count - 1;
		box.scrollTop = Math.max(0, isFar ? (top + bottom) / 2 : nearest) / step;
		onScroll();
	};
	const isAtEnd = () => {
		const box = scroller.current;
		return !box || box.scrollHeight - box.scrollTop - box.clientHeight < rowHeight;
	};
	const topOf = (index: number) => index * rowHeight + shift;
	return { scroller, onScroll, first, end, height, topOf, show, isAtEnd };
}
