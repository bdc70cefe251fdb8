import { trace } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-base";
import type { WorkspaceRun } from "@skillwright/core";
import { describe, expect, test } from "vitest";
import { recordedSpans } from "../../core/test/recorded-spans.js";
import { type Fixture, SESSION, workspaceFixture } from "./workspace-fixture.js";

const recorded = recordedSpans();

/** The run's spans in the order they ended, below a span of the caller. */
async function spansOf(fixture: Fixture, run: WorkspaceRun): Promise<readonly ReadableSpan[]> {
  const { id } = await fixture.workspaces.forSession(SESSION);
  recorded.reset();
  await trace.getTracer("test").startActiveSpan("caller", async (span) => {
    await fixture.workspaces.run(id, run).catch(() => undefined);
    span.end();
  });
  return recorded.spans();
}

/** Each span's name with its parent's, without those of the catalogue, its repositories and the runtime. */
function tree(all: readonly ReadableSpan[]): readonly string[] {
  const spans = all.filter(({ name }) => !/^(catalog|repository|runtime)\./.test(name));
  const names = new Map(spans.map((span) => [span.spanContext().spanId, span.name]));
  const parentOf = ({ parentSpanContext }: ReadableSpan) =>
    names.get(parentSpanContext?.spanId ?? "") ?? "nothing";
  return spans.map((span) => `${span.name} < ${parentOf(span)}`);
}

const RUN: WorkspaceRun = {
  skill: "demo",
  command: "echo the-secret-command; echo content-of-file > out/private-name.txt; exit 3",
  env: { VARIABLE: "value-of-variable" },
  inputs: [{ from: "skill://demo/data/a.csv", to: "work/target-name.csv" }],
  outputs: { globs: ["out/**"], inline: true, save: true },
};

describe("spans of a run", () => {
  test("are the documented ones, below the caller's, in order", async () => {
    await using fixture = await workspaceFixture("none");
    expect(tree(await spansOf(fixture, RUN))).toEqual([
      "skill.load < workspace.stage.skill",
      "workspace.stage.skill < caller",
      "skill.load < workspace.stage.inputs",
      "workspace.stage.inputs < caller",
      "workspace.run < caller",
      "workspace.inline < workspace.collect",
      "workspace.collect < caller",
      "caller < nothing",
    ]);
  });

  test("contain ids, counts, bytes and the outcome", async () => {
    await using fixture = await workspaceFixture("none");
    const spans = new Map((await spansOf(fixture, RUN)).map((span) => [span.name, span.attributes]));
    const { id: workspaceId } = await fixture.workspaces.forSession(SESSION);
    expect(spans.get("workspace.stage.skill")).toMatchObject({
      workspaceId,
      skill: "demo",
      changed: true,
      files: 3,
    });
    expect(spans.get("workspace.stage.inputs")).toMatchObject({ workspaceId, inputs: 1, bytes: 8 });
    expect(spans.get("workspace.run")).toMatchObject({
      workspaceId,
      skill: "demo",
      exitCode: 3,
      timedOut: false,
    });
    expect(spans.get("workspace.inline")).toEqual({ bytes: 16 });
    expect(spans.get("workspace.collect")).toMatchObject({ workspaceId, files: 1, artifacts: 1 });
  });

  test("contain no command, no path, no value and no content", async () => {
    await using fixture = await workspaceFixture("none");
    const spans = await spansOf(fixture, RUN);
    const told = JSON.stringify(
      spans.map(({ name, attributes, events, status }) => [name, attributes, events, status]),
    );
    for (const content of [
      "secret-command",
      "private-name",
      "target-name",
      "VARIABLE",
      "value-of",
      "content-of",
      "/",
    ])
      expect(told).not.toContain(content);
  });

  test("contain the code of an error, but not its message", async () => {
    await using fixture = await workspaceFixture("none");
    const inputs = [{ from: "artifact://missing-name" }];
    const spans = await spansOf(fixture, { command: "true", inputs });
    expect(tree(spans)).toEqual(["workspace.stage.inputs < caller", "caller < nothing"]);
    expect(spans[0]).toMatchObject({
      attributes: { "error.type": "ARTIFACT_NOT_FOUND" },
      status: { code: 2 },
    });
    expect(JSON.stringify([spans[0]?.attributes, spans[0]?.status])).not.toContain("missing-name");
  });

  test("report removed run directories", async () => {
    await using fixture = await workspaceFixture("none");
    const { id } = await fixture.workspaces.forSession(SESSION);
    for (let count = 0; count < 40; count++) await fixture.workspaces.run(id, { command: "true" });
    const spans = await spansOf(fixture, { command: "true" });
    expect(spans.find(({ name }) => name === "workspace.cleanup")?.attributes).toEqual({
      workspaceId: id,
      runs: 21,
    });
  });
});
