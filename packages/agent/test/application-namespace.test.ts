import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applicationNamespace, defaultRuntime } from "@skillwright/agent";
import { expect, onTestFinished, test } from "vitest";

test("AGENT-17: agents in different folders, or of different names, do not see each other's workspaces; one that starts again sees its own", async () => {
  const folder = mkdtempSync(join(tmpdir(), "skillwright-applications-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ["one", "two"]) mkdirSync(join(folder, name));
  symlinkSync(join(folder, "one"), join(folder, "link"));
  const seen = async (app: string, place: string) => {
    const namespace = applicationNamespace(app, join(folder, place));
    await using runtime = await defaultRuntime({ kind: "local", isolation: "none" }, { namespace });
    return await runtime.list();
  };
  const namespace = applicationNamespace("agent", join(folder, "one"));
  await using runtime = await defaultRuntime({ kind: "local", isolation: "none" }, { namespace });
  await runtime.create("ws_mine");
  expect(await seen("agent", "one")).toEqual(["ws_mine"]);
  expect(await seen("agent", "link")).toEqual(["ws_mine"]);
  expect(await seen("agent", "two")).toEqual([]);
  expect(await seen("other", "one")).toEqual([]);
  await runtime.destroy("ws_mine");
});
