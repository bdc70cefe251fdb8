import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";

// Sends to http://localhost:4318, or to OTEL_EXPORTER_OTLP_ENDPOINT, under the name in OTEL_SERVICE_NAME.
const provider = new NodeTracerProvider({
  spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
});
provider.register();

// The last spans of a process that ends by itself are sent too.
process.once("beforeExit", () => void provider.shutdown());
