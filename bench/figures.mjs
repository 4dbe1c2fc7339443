/** Three digits that count, in a unit that suits the size. */
export function figure(value, unit) {
	if (value === undefined) return "";
	if (unit === "ms" && value >= 1_000) return `${(value / 1_000).toPrecision(3)} s`;
	if (unit === "ms" && value < 1) return `${threeDigits(value * 1_000)} µs`;
	return `${threeDigits(value)} ${unit}`;
}

export function ratio(value) {
	if (value === undefined) return "";
	return value > 0 && value < 0.05 ? `1/${Math.round(1 / value)}` : value.toFixed(2);
}

function threeDigits(value) {
	return value >= 100 ? String(Math.round(value)) : value.toPrecision(3);
}
