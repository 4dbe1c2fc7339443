import type { Check } from "./check";

const OLDEST: readonly [number, number] = [20, 19];

export function checkNode(version: string): Check {
	const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
	const fits = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
	const detail = fits ? version : `${version} is too old: install ${OLDEST.join(".")} or later`;
	return { name: "node", status: fits ? "ok" : "fail", detail };
}
