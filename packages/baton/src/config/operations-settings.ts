import { z } from "zod";
import { httpUrl, oneOf, text } from "./kinds";
import type { Setting } from "./setting";

/** Long enough that nobody guesses it; nothing that a header cannot hold. */
const longKey = z
	.string()
	.regex(/^[\x21-\x7e]{16,512}$/, "is not a key of 16 characters or more, without spaces");

/** Settings for those who run Baton rather than use it. */
export const OPERATIONS_SETTINGS = {
	BATON_METRICS: {
		read: oneOf("off", "loopback", "key"),
		fallback: "off",
		about:
			"Who gets `/metrics`: nobody, callers on this machine (not behind a proxy), or who sends `BATON_METRICS_KEY`",
	},
	BATON_METRICS_KEY: {
		read: longKey,
		secret: true,
		about: "For `BATON_METRICS=key`: sent as `Authorization: Bearer …`, at least 16 characters",
	},
	OTEL_EXPORTER_OTLP_ENDPOINT: {
		read: httpUrl,
		about: "Send traces there, by OTLP over HTTP in JSON: `http://127.0.0.1:4318` for instance",
	},
	OTEL_EXPORTER_OTLP_HEADERS: {
		read: text,
		secret: true,
		about: "Sent along with traces: `name=value,name=value`",
	},
	OTEL_SERVICE_NAME: {
		read: text,
		fallback: "baton",
		about: "The name of this service in traces",
	},
} as const satisfies Record<string, Setting>;
