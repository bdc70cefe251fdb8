import { metrics } from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";

// Both send to http://localhost:4318, or to OTEL_EXPORTER_OTLP_ENDPOINT, under the name in OTEL_SERVICE_NAME.
const traces = new NodeTracerProvider({
  spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
});
traces.register();
const measurements = new MeterProvider({
  readers: [new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter() })],
});
metrics.setGlobalMeterProvider(measurements);

// The last spans and figures of a process that ends by itself are sent too.
process.once("beforeExit", () => void Promise.all([traces.shutdown(), measurements.shutdown()]));
