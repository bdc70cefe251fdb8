// Records a turn of a server with the OpenTelemetry SDK and takes a picture of its trace in Zipkin, as docs/trace.png.
// Needs a build, Chromium, and a Zipkin server (`java -jar zipkin-server-3.5.1-exec.jar`), whose address is the first argument.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const [zipkin = "http://localhost:9411"] = process.argv.slice(2);
const place = (/** @type {string} */ path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const partOf = (/** @type {string} */ part, /** @type {string} */ name) =>
  createRequire(place(`${part}/package.json`))(name);
const built = (/** @type {string} */ name) => import(place(`packages/${name}/dist/index.js`));
const { fsRepository } = await built("repository-fs");
const { sqlArtifacts, sqliteDatabase, sqlRecords } = await built("repository-sql");
const { localRuntime } = await built("runtime-local");
const { agentServer } = await built("server");
const { skillBox } = await built("skillbox");
const { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } = partOf(
  "examples/web-service",
  "@opentelemetry/sdk-trace-node",
);

const exporter = new InMemorySpanExporter();
new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
await turnOfServer();
await takePicture(await sentToZipkin(exporter.getFinishedSpans()));

async function turnOfServer() {
  const database = await sqliteDatabase(":memory:");
  const runtime = localRuntime({ isolation: "auto" });
  const server = agentServer({
    agents: { assistant: { modelConfig: { provider: "offline", model: "offline planner" } } },
    skills: skillBox({ own: fsRepository({ root: place("skills") }) }),
    runtime,
    records: sqlRecords({ database }),
    artifacts: sqlArtifacts({ database }),
  });
  const ask = (/** @type {string} */ path, /** @type {RequestInit} */ init) =>
    server.fetch(
      new Request(`http://localhost/v1${path}`, {
        ...init,
        headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
      }),
    );
  await ask("/conversations", { method: "POST", body: '{"id":"sales"}' });
  const body = readFileSync(place("data/orders.csv"));
  await ask("/conversations/sales/uploads/orders.csv", { method: "PUT", body });
  const message = { parts: [{ type: "text", text: "Analyse orders.csv" }] };
  const turn = await ask("/conversations/sales/turns", { method: "POST", body: JSON.stringify({ message }) });
  await turn.text();
  await ask("/conversations/sales", { method: "DELETE" });
  await server.close();
  await runtime.close();
  await database.close();
}

/** Returns the id of the turn's trace. */
async function sentToZipkin(/** @type {any[]} */ spans) {
  const turn = spans.find(({ name }) => name === "server.turn").spanContext();
  const trace = spans.filter((span) => span.spanContext().traceId === turn.traceId).map(zipkinSpan);
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${zipkin}/api/v2/spans`, {
    method: "POST",
    headers,
    body: JSON.stringify(trace),
  });
  if (!answer.ok) throw new Error(`Zipkin refused the spans: ${answer.status} ${await answer.text()}`);
  return turn.traceId;
}

function zipkinSpan(/** @type {any} */ span) {
  const micros = (/** @type {[number, number]} */ [seconds, nanos]) =>
    seconds * 1e6 + Math.round(nanos / 1e3);
  return {
    ...{ traceId: span.spanContext().traceId, id: span.spanContext().spanId, name: span.name },
    ...(span.parentSpanContext && { parentId: span.parentSpanContext.spanId }),
    timestamp: micros(span.startTime),
    duration: Math.max(1, micros(span.duration)),
    localEndpoint: { serviceName: "chat" },
    tags: Object.fromEntries(Object.entries(span.attributes).map(([name, value]) => [name, String(value)])),
  };
}

async function takePicture(/** @type {string} */ trace) {
  const { chromium } = partOf("packages/server", "playwright-core");
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  const page = await browser.newPage({ viewport: { width: 1280, height: 1625 } });
  await page.goto(`${zipkin}/zipkin/traces/${trace}`);
  await page.getByText("server.turn").first().waitFor();
  await page.screenshot({ path: place("docs/trace.png") });
  await browser.close();
}
