/** The name of the product, and of this part of it. */
export function Brand({ part }: { part: string }) {
	return (
		<h1 className="brand">
			<svg aria-hidden="true" viewBox="0 0 32 32" className="mark">
				<rect width="32" height="32" rx="8" />
				<path d="M9 23 23 9" />
				<circle cx="9" cy="23" r="3.400" />
			</svg>
			Baton <span className="brand-sub">{part}</span>
		</h1>
	);
}
