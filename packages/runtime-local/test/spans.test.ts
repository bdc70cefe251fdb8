import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { recordedSpans } from "../../core/test/recorded-spans.js";
import { localRuntime } from "../src/index.js";
import { printed } from "./running.js";

const recorded = recordedSpans();

test("the local runtime has a span for operations on workspaces, and none for single files", async () => {
  const root = await mkdtemp(join(tmpdir(), "skillwright-spans-"));
  onTestFinished(async () => await rm(root, { recursive: true, force: true }));
  await using runtime = localRuntime({ root: `${root}/workspaces`, isolation: "none" });
  const made = await runtime.create("the-secret-id");
  const content = new TextEncoder().encode("the-secret-text");
  await made.put([
    { path: "work/a.txt", size: content.length, executable: false, content: [content] },
  ] as never);
  expect(await printed(made, "echo the-secret-command")).toBe("the-secret-command\n");
  await (await runtime.attach("the-secret-id"))?.list();
  await runtime.list();
  await runtime.destroy("the-secret-id");
  await runtime.create("bad id").catch(() => undefined);
  const by = { runtime: "local" };
  expect(recorded.ended()).toEqual([
    ["runtime.create", by],
    ["runtime.workspace.start", by],
    ["runtime.attach", by],
    ["runtime.list", { ...by, workspaces: 1 }],
    ["runtime.destroy", by],
    ["runtime.create", { ...by, "error.type": "INPUT_INVALID" }],
  ]);
  expect(recorded.text()).not.toMatch(/secret|\/workspaces/);
});
