import assert from "node:assert/strict";
import { checkPromise, inTime, workspaceRuntimePromises } from "@skillwright/core/testing";
import { expect, test } from "vitest";
import { brokenFiles } from "./broken/broken-files.js";
import { brokenLifecycles } from "./broken/broken-lifecycles.js";
import { brokenEnds, brokenOutput } from "./broken/broken-output.js";
import { brokenRuns } from "./broken/broken-runs.js";
import { brokenStaging } from "./broken/broken-staging.js";
import { localSubject } from "./local-subject.js";
import { sandboxWorks } from "./sandbox-works.js";

const BROKEN = {
  ...brokenLifecycles,
  ...brokenFiles,
  ...brokenStaging,
  ...brokenRuns,
  ...brokenOutput,
  ...brokenEnds,
};

/** Promises that only a sandbox keeps: broken without one they would fail for another reason. */
const SANDBOXED = [
  "end/timeout-ends-tree",
  "end/success-ends-tree",
  "end/abort-ends-tree",
  "environment/clean",
  "limits/enforced",
  "limits/refused",
  "network/off",
];

test("every promise of WorkspaceRuntime has a runtime that breaks it", () => {
  const ids = workspaceRuntimePromises.map(({ id }) => id.replace("workspace-runtime/", ""));
  expect(Object.keys(BROKEN).sort()).toEqual([...ids].sort());
});

for (const promise of workspaceRuntimePromises) {
  const name = promise.id.replace("workspace-runtime/", "");
  const sandboxed = SANDBOXED.includes(name);
  const breaking = BROKEN[name];
  if (!breaking || (sandboxed && !sandboxWorks)) continue;
  test.concurrent(`a runtime that breaks ${name} is found out`, async () => {
    const create = async () => {
      const { runtime, other, dispose } = await localSubject(sandboxed ? "sandbox" : "none");
      return { runtime: breaking(runtime), other: breaking(other), dispose };
    };
    await inTime(checkPromise(promise, create), "The promise", 15_000).then(()=>console.log("NONE"), (e)=>console.log("@@",name, String(e).split("\n").slice(0,14).join(" / ").slice(0,330)));
  });
}
