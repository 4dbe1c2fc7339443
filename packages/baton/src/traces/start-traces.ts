import { hostname } from "node:os";
import { DiagLogLevel, diag } from "@opentelemetry/api";
import type { TracesConfig } from "../config/operations-config";
import type { Log } from "../log/log";
import { VERSION } from "../version";

/** How long a stop waits for the last spans to be taken. */
const LAST_SPANS_MS = 2_000;

/**
 * From here on, spans that any part of this process makes are sent to the collector. Resolves to how
 * that is stopped. What is sent where and how often, beyond the endpoint, is decided by the variables
 * of OpenTelemetry, which its library reads itself.
 */
export async function startTraces(
	{ endpoint, headers, serviceName }: TracesConfig,
	log: Log,
): Promise<() => Promise<void>> {
	const [sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
		import("@opentelemetry/sdk-trace-node"),
		import("@opentelemetry/exporter-trace-otlp-http"),
		import("@opentelemetry/resources"),
	]);
	const failed = (message: string) => log.warn({ reason: message }, "Traces are not being sent.");
	const quiet = () => {};
	diag.setLogger(
		{ error: failed, warn: failed, info: quiet, debug: quiet, verbose: quiet },
		{ logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
	);
	const exporter = new OTLPTraceExporter({
		url: `${endpoint}/v1/traces`,
		...(headers !== undefined && { headers: parseHeaders(headers) }),
	});
	const provider = new sdk.NodeTracerProvider({
		resource: resourceFromAttributes({
			"service.name": serviceName,
			"service.version": VERSION,
			"service.instance.id": `${hostname()}/${process.pid}`,
		}),
		spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
	});
	provider.register();
	return async () => {
		let timer: NodeJS.Timeout | undefined;
		const late = new Promise<void>((resolve) => {
			timer = setTimeout(resolve, LAST_SPANS_MS);
		});
		await Promise.race([provider.shutdown().catch(() => {}), late]);
		clearTimeout(timer);
	};
}

/** `name=value,name=value`, with percent signs as in addresses. */
function parseHeaders(text: string): Record<string, string> {
	const pairs = text.split(",").map((pair) => {
		const [name = "", ...value] = pair.split("=");
		return [name.trim(), decode(value.join("=").trim())];
	});
	return Object.fromEntries(pairs.filter(([name]) => name !== ""));
}

function decode(value: string): string {
	try {
		return decodeURIComponent(value);
	} catch {
		return value;
	}
}
