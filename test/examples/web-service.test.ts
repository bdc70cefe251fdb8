import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { removeTree } from "../../packages/runtime-local/src/storage/remove-tree.js";
import { hasAll } from "../needs/has-all.js";
import { root } from "../repository/readers/packages.js";

const folder = `${root}/examples/web-service`;
const SECRET = "a-secret-of-the-proxy";

if (hasAll("packages/server/dist", "packages/runtime-local/dist"))
  test("the web service of the guide has users, streams, approvals and a clean end", async () => {
    const { origin, child, ended } = await startedServer([]);
    expect(
      (await fetch(`${origin}/v1/conversations`, { headers: { "x-forwarded-user": "ada" } })).status,
    ).toBe(401);
    const { stdout } = await promisify(execFile)(process.execPath, [`${folder}/client.ts`, origin, SECRET]);
    expect(stdout.trim().split("\n")).toEqual([
      "artifact: out/loud.txt QUIET",
      "question: greeter team sh greet.sh work/inputs/names.txt > out/greetings.txt",
      "then: Hello, Grace",
      "left: []",
    ]);
    child.kill("SIGTERM");
    expect((await ended)[0]).toBe(0);
  });

if (hasAll("packages/server/dist", "packages/runtime-local/dist"))
  test("SERVE-61: the web service of the guide sends the trace of each turn and the metrics to a collector", async () => {
    const spans: Span[] = [];
    const metrics = new Set<string>();
    const collector = await listening((body) => {
      const { resourceSpans = [], resourceMetrics = [] } = JSON.parse(body) as Export;
      spans.push(...resourceSpans.flatMap((one) => one.scopeSpans.flatMap((scope) => scope.spans)));
      for (const one of resourceMetrics)
        for (const scope of one.scopeMetrics) for (const { name } of scope.metrics) metrics.add(name);
    });
    const { origin, child, ended } = await startedServer(["--import", `${folder}/telemetry.ts`], {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector,
    });
    await promisify(execFile)(process.execPath, [`${folder}/client.ts`, origin, SECRET]);
    // The end of the process sends the last spans.
    child.kill("SIGTERM");
    expect((await ended)[0]).toBe(0);
    const turn = spans.find(({ name }) => name === "server.turn");
    const names = spans.filter(({ traceId }) => traceId === turn?.traceId).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(["agent.turn", "agent.model", "tool.call", "workspace.run"]),
    );
    expect(spans.filter(({ name }) => name === "server.turn")).toHaveLength(3);
    expect([...metrics]).toEqual(
      expect.arrayContaining(["skillwright.operation.duration", "skillwright.server.turns"]),
    );
  });

test("the guide shows the programs as they are", async () => {
  const guide = await readFile(`${root}/docs/web-service.md`, "utf8");
  for (const file of ["server.ts", "client.ts", "telemetry.ts"])
    expect(guide).toContain(`\`\`\`ts\n${await readFile(`${folder}/${file}`, "utf8")}\`\`\``);
});

async function startedServer(options: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const data = await mkdtemp(join(tmpdir(), "skillwright-web-service-"));
  onTestFinished(() => removeTree(data));
  const { PATH, TMPDIR } = process.env;
  const child = spawn(process.execPath, [...options, `${folder}/server.ts`], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH, TMPDIR, DATA: data, PORT: "0", PROXY_SECRET: SECRET, ...env },
  });
  const ended = once(child, "close");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const [line] = await once(child.stdout, "data");
  return { origin: String(line).trim(), child, ended };
}

interface Span {
  readonly traceId: string;
  readonly name: string;
}

/** What the exporter of OTLP sends, as JSON. */
interface Export {
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly { readonly name: string }[] }[];
  }[];
  readonly resourceSpans?: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[];
}

/** The address of a collector that calls back with each body. */
async function listening(onBody: (body: string) => void): Promise<string> {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      onBody(body);
      response.setHeader("content-type", "application/json").end("{}");
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
