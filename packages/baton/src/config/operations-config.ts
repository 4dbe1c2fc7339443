import { ConfigError } from "./config-error";
import type { SettingValues } from "./settings";

/** Who may read the figures of this process. */
export type MetricsAccess = { kind: "loopback" } | { kind: "key"; key: string };

/** Where traces go. */
export interface TracesConfig {
	/** Without the path of a signal. */
	endpoint: string;
	/** As OpenTelemetry writes them: `name=value,name=value`. */
	headers: string | undefined;
	serviceName: string;
}

export function metricsOf(values: SettingValues): MetricsAccess | undefined {
	if (values.BATON_METRICS === "off") return undefined;
	if (values.BATON_METRICS === "loopback") return { kind: "loopback" };
	const key = values.BATON_METRICS_KEY;
	if (key !== undefined) return { kind: "key", key };
	throw new ConfigError([{ name: "BATON_METRICS_KEY", reason: "is needed for BATON_METRICS=key" }]);
}

export function tracesOf(values: SettingValues): TracesConfig | undefined {
	const endpoint = values.OTEL_EXPORTER_OTLP_ENDPOINT;
	if (endpoint === undefined) return undefined;
	const headers = values.OTEL_EXPORTER_OTLP_HEADERS;
	return { endpoint, headers, serviceName: values.OTEL_SERVICE_NAME };
}
