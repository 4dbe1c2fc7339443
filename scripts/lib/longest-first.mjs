import { BaseSequencer } from "vitest/node";

/**
 * Files that take longest, by a part of their path. They start first, so that none of them is left
 * running alone at the end. Vitest would learn this by itself, but a fresh clone has learnt nothing.
 */
const LONGEST = [
	"web/test/interruptions",
	"chaos/test/",
	"session/test/redis/failover",
	"browser-tool/test/react/",
	"agent/test/turns/kills",
	"web/test/accessibility",
	"giselle-provider/test/processes",
	"web/test/",
	"baton/test/",
	"gateway/test/",
	"a2a-agentforce/tests/",
	"agent/test/cli/",
	"session/test/redis/",
];

/** The order of test files: the longest first. */
export class LongestFirst extends BaseSequencer {
	/** @param {import("vitest/node").TestSpecification[]} files */
	async sort(files) {
		const sorted = await super.sort(files);
		return sorted.sort((a, b) => rank(a.moduleId) - rank(b.moduleId));
	}
}

function rank(/** @type {string} */ file) {
	const index = LONGEST.findIndex((part) => file.includes(part));
	return index === -1 ? LONGEST.length : index;
}
