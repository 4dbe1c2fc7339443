/*
 * Arrows point one way (DESIGN: "Packages"):
 *
 *   protocol, session  <-  agent  <-  doors  <-  baton, web
 *
 * `MAY_IMPORT` is the whole picture: a package's source may import the packages in its row and no
 * other. Tests may go further, since a door is best tested against the real other end.
 */
const MAY_IMPORT = {
	protocol: [],
	session: [],
	testkit: [],
	agent: ["protocol", "session"],
	"browser-tool": ["protocol", "session", "agent"], // Of agent in its relay alone: see below.
	"agent-api": ["protocol", "session", "agent", "browser-tool"], // It mounts the relay.
	"a2a-agentforce": ["protocol", "session", "agent"],
	gateway: ["protocol", "session", "agent"],
	"giselle-provider": ["protocol", "browser-tool"], // Of browser-tool the schemas alone: see below.
};

const TESTS = "\\.test\\.tsx?$";
const source = (package_) => ({ path: `^packages/${package_}/src/`, pathNot: TESTS });

const packageRules = Object.entries(MAY_IMPORT).map(([package_, allowed]) => ({
	name: `${package_}-imports`,
	comment: `${package_} may import ${allowed.join(", ") || "no other package"}.`,
	severity: "error",
	from: source(package_),
	to: { path: "^packages/", pathNot: `^packages/(${[package_, ...allowed].join("|")})/` },
}));

const driverRules = ["memory", "files", "redis"].map((driver) => ({
	name: `driver-${driver}-alone`,
	comment: "Using one driver pulls in nothing of another. Only open-store knows them all.",
	severity: "error",
	from: { path: `^packages/session/src/${driver}/`, pathNot: TESTS },
	to: {
		path: "^packages/session/src/(memory|files|redis)/",
		pathNot: `^packages/session/src/${driver}/`,
	},
}));

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
	forbidden: [
		...packageRules,
		...driverRules,
		{
			name: "drivers-only-through-open-store",
			comment: "The rest of the core does not know which drivers there are.",
			severity: "error",
			from: {
				path: "^packages/session/src/",
				pathNot: [
					TESTS,
					"^packages/session/src/(memory|files|redis|testing)/",
					"^packages/session/src/open-store\\.ts$",
				],
			},
			to: { path: "^packages/session/src/(memory|files|redis)/" },
		},
		{
			name: "open-store-loads-on-demand",
			comment: "A static import would load every driver, and ioredis, for every user.",
			severity: "error",
			from: { path: "^packages/session/src/open-store\\.ts$" },
			to: {
				path: "^packages/session/src/(memory|files|redis)/",
				dependencyTypesNot: ["dynamic-import", "type-only"],
			},
		},
		{
			name: "only-the-relay-uses-agent",
			comment: "browser-tool's schemas, dom and react run in a page; its relay serves turns.",
			severity: "error",
			from: { ...source("browser-tool"), pathNot: `${TESTS}|^packages/browser-tool/src/relay/` },
			to: { path: "^packages/agent/" },
		},
		{
			name: "provider-uses-schemas-alone",
			comment: "giselle-provider may use browser-tool's pure entry, never its relay, dom or mcp.",
			severity: "error",
			from: source("giselle-provider"),
			to: { path: "^packages/browser-tool/dist/(relay|dom|mcp|react)/" },
		},
		{
			name: "testkit-is-for-tests",
			severity: "error",
			from: { path: "^packages/(baton|web)/(src|app|lib)/", pathNot: TESTS },
			to: { path: "^packages/testkit/" },
		},
		{
			name: "only-through-the-door",
			comment: "A package is entered by its name, never by a path into its folder.",
			severity: "error",
			from: { path: "^packages/([^/]+)/" },
			to: { path: "^packages/[^/]+/(src|test|tests)/", pathNot: "^packages/$1/" },
		},
		{ name: "no-cycle", severity: "error", from: {}, to: { circular: true } },
		{ name: "resolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
	],
	options: {
		doNotFollow: { path: ["node_modules", "/dist/"] },
		tsPreCompilationDeps: true,
		tsConfig: { fileName: "tsconfig.base.json" },
		enhancedResolveOptions: {
			exportsFields: ["exports"],
			conditionNames: ["import", "types", "node", "default"],
		},
	},
};
