import { metrics } from "@opentelemetry/api";
import {
  AggregationTemporality,
  type DataPoint,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { describe, expect, onTestFinished, test } from "vitest";
import { countOpen, countTokens, measureApproval, withSpan, withSpanSync } from "../src/adapter.js";
import { SkillError } from "../src/index.js";

describe("SERVE-110: with the SDK's provider of metrics, and without one of spans", () => {
  test("each operation is measured in seconds, with the attributes that have few values", async () => {
    const { read } = measured();
    await withSpan("workspace.run", { workspaceId: "w", skill: "a" }, async (set) =>
      set({ outcome: "success" }),
    );
    withSpanSync("injector.note", {}, () => undefined);
    expect(await read("skillwright.operation.duration")).toMatchObject([
      { attributes: { operation: "workspace.run", outcome: "success" }, value: { count: 1 } },
      { attributes: { operation: "injector.note" }, value: { count: 1 } },
    ]);
  });

  test("an error is rethrown, and measured with its code", async () => {
    const { read } = measured();
    const error = new SkillError("REFUSED", "the secret");
    await expect(withSpan("skill.load", {}, () => Promise.reject(error))).rejects.toBe(error);
    const [found] = await read("skillwright.operation.duration");
    expect(found?.attributes).toEqual({ operation: "skill.load", "error.type": "REFUSED" });
  });

  test("the buckets of a histogram have limits from 1 ms to 1,800 s", async () => {
    const { read } = measured();
    withSpanSync("injector.note", {}, () => undefined);
    const [found] = await read("skillwright.operation.duration");
    expect(found?.value).toMatchObject({
      buckets: { boundaries: expect.arrayContaining([0.001, 0.5, 1800]) },
    });
  });

  test("open turns and streams, tokens and answered questions are counted", async () => {
    const { read } = measured();
    for (const change of [1, 1, -1] as const) countOpen("skillwright.server.turns", change);
    countTokens("input", 30);
    countTokens("output", undefined);
    measureApproval(2, "refused");
    expect(await read("skillwright.server.turns")).toMatchObject([{ value: 1 }]);
    expect(await read("skillwright.model.tokens")).toMatchObject([
      { attributes: { type: "input" }, value: 30 },
    ]);
    expect(await read("skillwright.approval.wait")).toMatchObject([
      { attributes: { answer: "refused" }, value: { count: 1, sum: 2 } },
    ]);
  });

  test("a provider that is registered later gets the next measurements", async () => {
    const first = measured();
    metrics.disable();
    const second = measured();
    countTokens("input", 1);
    expect(await first.read("skillwright.model.tokens")).toEqual([]);
    expect(await second.read("skillwright.model.tokens")).toHaveLength(1);
  });
});

/** Registers a provider for the test. `read` returns the points of a metric so far. */
function measured() {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const provider = new MeterProvider({ readers: [reader] });
  metrics.setGlobalMeterProvider(provider);
  onTestFinished(async () => {
    metrics.disable();
    await provider.shutdown();
  });
  const read = async (name: string) => {
    await provider.forceFlush();
    const all =
      exporter
        .getMetrics()
        .at(-1)
        ?.scopeMetrics.flatMap((scope) => scope.metrics) ?? [];
    const found = all.filter(({ descriptor }) => descriptor.name === name);
    return found.flatMap(({ dataPoints }) => dataPoints as readonly DataPoint<unknown>[]);
  };
  return { read };
}
