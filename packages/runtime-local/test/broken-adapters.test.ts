import {
  type Breakages,
  type RuntimeSubject,
  testBreakages,
  workspaceRuntimePromises,
} from "@skillwright/contracts";
import { test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import type { LocalRuntimeOptions } from "../src/local-runtime-options.js";
import type { Breaking } from "./broken/breaking.js";
import { brokenFiles } from "./broken/broken-files.js";
import { brokenLifecycles } from "./broken/broken-lifecycles.js";
import { brokenLinks } from "./broken/broken-links.js";
import { brokenMany } from "./broken/broken-many.js";
import { brokenEnds, brokenOutput } from "./broken/broken-output.js";
import { brokenRecorded } from "./broken/broken-recorded.js";
import { brokenRuns } from "./broken/broken-runs.js";
import { brokenStaging } from "./broken/broken-staging.js";
import { localSubject } from "./local-subject.js";

/** Promises that only a sandbox keeps: without one their breakages would fail for another reason. */
const SANDBOXED = [
  "end/timeout-ends-tree",
  "end/success-ends-tree",
  "end/abort-ends-tree",
  "environment/clean",
  "limits/enforced",
  "limits/told",
  "limits/refused",
  "network/off",
];

const breakages = asBreakages({
  ...brokenLifecycles,
  ...brokenFiles,
  ...brokenLinks,
  ...brokenMany,
  ...brokenStaging,
  ...brokenRuns,
  ...brokenOutput,
  ...brokenEnds,
  ...brokenRecorded,
});

testOn("none", (id) => !isSandboxed(id) && !isOfCopies(id) && !isRecorded(id));
testOn("none", isOfCopies, { skillCopies: "workspace" });
if (hasAll("bubblewrap")) testOn("sandbox", isSandboxed);
if (hasAll("supervisor")) testOn("none", isRecorded);

function testOn(
  isolation: "sandbox" | "none",
  belongs: (id: string) => boolean,
  options: LocalRuntimeOptions = {},
): void {
  testBreakages(
    test.concurrent,
    workspaceRuntimePromises.filter(({ id }) => belongs(id)),
    Object.fromEntries(Object.entries(breakages).filter(([id]) => belongs(id))),
    () => localSubject(isolation, undefined, options),
  );
}

function isSandboxed(id: string): boolean {
  return SANDBOXED.includes(id.replace("workspace-runtime/", ""));
}

function isRecorded(id: string): boolean {
  return id.startsWith("workspace-runtime/recorded/");
}

function isOfCopies(id: string): boolean {
  return id.startsWith("workspace-runtime/skill-copies/");
}

function asBreakages(all: Readonly<Record<string, Breaking>>): Breakages<RuntimeSubject> {
  const broken = Object.entries(all).map(([name, breaking]) => {
    const both = (subject: RuntimeSubject) => ({
      runtime: breaking(subject.runtime),
      other: breaking(subject.other),
    });
    return [`workspace-runtime/${name}`, both] as const;
  });
  return Object.fromEntries(broken);
}
