import { testWorkspaceRuntime } from "@skillwright/core/testing";
import { describe, test } from "vitest";
import { groupsWork } from "./groups-work.js";
import { localSubject } from "./local-subject.js";
import { sandboxWorks } from "./sandbox-works.js";

const root = process.geteuid?.() === 0;

if (sandboxWorks)
  describe("in a sandbox", () => {
    testWorkspaceRuntime(test, () => localSubject("sandbox"), {
      skip: {
        "workspace-runtime/network/not-off": "the network can be turned off",
        ...(root
          ? { "workspace-runtime/limits/unsupported": "root has control groups for all of them" }
          : {}),
      },
    });
  });

describe("without isolation", () => {
  const unclaimed = "nothing isolates the command";
  testWorkspaceRuntime(test, () => localSubject("none"), {
    skip: {
      "workspace-runtime/stage/read-only": unclaimed,
      "workspace-runtime/environment/clean": "a command may look at every process of its user (ENV-03)",
      ...(groupsWork
        ? {}
        : {
            "workspace-runtime/end/timeout-ends-tree": unclaimed,
            "workspace-runtime/end/success-ends-tree": unclaimed,
            "workspace-runtime/end/abort-ends-tree": unclaimed,
          }),
      "workspace-runtime/network/off": unclaimed,
      ...(root ? { "workspace-runtime/limits/enforced": "root could raise every limit again" } : {}),
    },
  });
});
