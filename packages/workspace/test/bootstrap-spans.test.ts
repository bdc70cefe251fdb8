import { describe, expect, test } from "vitest";
import { recordedSpans } from "../../core/test/recorded-spans.js";
import type { BootstrapStep } from "../src/index.js";
import { SESSION, workspaceFixture } from "./workspace-fixture.js";

const recorded = recordedSpans();

async function spanOf(step: BootstrapStep) {
  await using fixture = await workspaceFixture("none", { bootstrap: () => [step] });
  const { id } = await fixture.workspaces.forSession(SESSION);
  await fixture.workspaces.run(id, { skill: "demo", command: "true" }).catch(() => undefined);
  const spans = recorded.spans().filter(({ name }) => name === "workspace.bootstrap");
  expect(spans).toHaveLength(1);
  return { id, attributes: spans[0]?.attributes, status: spans[0]?.status };
}

const STEP: BootstrapStep = {
  name: "name-of-step",
  files: [{ path: "work/name-of-file", content: "content-of-file" }],
  commands: ["echo text-of-command"],
};

describe("the span of a bootstrap step", () => {
  test("carries ids and counts, and no name, path or text", async () => {
    const { id, attributes } = await spanOf(STEP);
    const fingerprint = expect.stringMatching(/^[0-9a-f]{64}$/);
    const counts = { files: 1, commands: 1, fromCache: false };
    expect(attributes).toEqual({ workspaceId: id, skill: "demo", fingerprint, ...counts });
  });

  test("contains the code of a failure, but not its message", async () => {
    const { attributes, status } = await spanOf({ ...STEP, commands: ["echo text-of-output; exit 3"] });
    expect(attributes).toMatchObject({ "error.type": "BACKEND_FAILED" });
    expect(JSON.stringify([attributes, status])).not.toMatch(/text-of|name-of/);
  });
});
