const PATHS = {
	arrowUp: "M10 16V4M5 9l5-5 5 5",
	stop: "M6 6h8v8H6z",
	check: "m4.5 10.5 3.5 3.5 7.5-8",
	cross: "m5.5 5.5 9 9m0-9-9 9",
	copy: "M9 7h5a2 2 0 0 1 2 2v5a2 2 0 0 1-2 2H9a2 2 0 0 1-2-2V9a2 2 0 0 1 2-2ZM4.600 12.500A2 2 0 0 1 4 11V6a2 2 0 0 1 2-2h5a2 2 0 0 1 1.500.600",
	retry: "M4 10a6 6 0 1 0 2-4.500M4 3v3.500h3.500",
	list: "M4 5h12M4 10h12M4 15h7",
	plus: "M10 4v12M4 10h12",
	moon: "M16 12A6.500 6.500 0 0 1 8 4a6.500 6.500 0 1 0 8 8Z",
	sun: "M10 6.800a3.200 3.200 0 1 0 0 6.400 3.200 3.200 0 0 0 0-6.400ZM10 2.500V4m0 12v1.500M2.500 10H4m12 0h1.500M4.700 4.700l1 1m8.600 8.600 1 1m0-10.600-1 1m-8.600 8.600-1 1",
	eye: "M2.500 10S5.500 4.500 10 4.500 17.500 10 17.500 10 14.500 15.500 10 15.500 2.500 10 2.500 10ZM10 7.800a2.200 2.200 0 1 0 0 4.400 2.200 2.200 0 0 0 0-4.400Z",
	pen: "m4 16 .8-3.500L13 4.300a1.400 1.400 0 0 1 2 0l.7.7a1.400 1.400 0 0 1 0 2L7.500 15.200 4 16Z",
	wrench:
		"M12.500 3.500a4 4 0 0 0-3.600 5.600L3.800 14.200a1.400 1.400 0 0 0 2 2l5.100-5.100a4 4 0 0 0 5.300-4.800L13.900 8.600l-2.300-.6-.6-2.300 2.300-2.200a4 4 0 0 0-.8 0Z",
	shield: "M10 2.800 4 5v4.500c0 3.600 2.500 6.400 6 7.700 3.500-1.300 6-4.100 6-7.700V5l-6-2.200Z",
	chevron: "m7 8.500 3 3 3-3",
} as const;

export type IconName = keyof typeof PATHS;

/** A small picture beside words that say the same. */
export function Icon({ name }: { name: IconName }) {
	return (
		<svg
			aria-hidden="true"
			className="icon"
			viewBox="0 0 20 20"
			fill="none"
			stroke="currentColor"
			strokeWidth="1.6"
			strokeLinecap="round"
			strokeLinejoin="round"
		>
			<path d={PATHS[name]} fill={name === "stop" ? "currentColor" : undefined} />
		</svg>
	);
}
