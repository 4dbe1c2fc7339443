import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Agents write what the page shows: it loads nothing from elsewhere, whatever they write. */
const CONTENT_SECURITY_POLICY = [
	"default-src 'self'",
	"script-src 'self' 'unsafe-inline'",
	"style-src 'self' 'unsafe-inline'",
	"img-src 'self' data:",
	"connect-src 'self'",
	"object-src 'none'",
	"base-uri 'none'",
	"form-action 'self'",
	"frame-ancestors 'none'",
].join("; ");

/** @type {import("next").NextConfig} */
const config = {
	// One instance of each in the process, shared with the server that hosts the app.
	serverExternalPackages: ["@baton/session", "@giselles-ai/giselle-provider", "ioredis"],
	turbopack: { root },
	outputFileTracingRoot: root,
	poweredByHeader: false,
	// Streams go out as they come; a proxy in front may compress.
	compress: false,
	devIndicators: false,
	// `pnpm typecheck` does it for every package.
	typescript: { ignoreBuildErrors: true },
	async headers() {
		return [
			{
				source: "/:path*",
				headers: [
					{ key: "Content-Security-Policy", value: CONTENT_SECURITY_POLICY },
					{ key: "Referrer-Policy", value: "same-origin" },
					{ key: "X-Content-Type-Options", value: "nosniff" },
				],
			},
		];
	},
};

export default config;
