import { testContract, testWorkspaceRuntime, workspaceRuntimePromises } from "@skillwright/contracts";
import { describe, test } from "vitest";
import { dockerSubject } from "./docker-subject.js";
import { engines } from "./engine-setup/engines.js";

const stagingPromises = workspaceRuntimePromises.filter(({ id }) =>
  /\/(skill-copies|stage|unstage)\//.test(id),
);

describe.each(await engines())("on $name", (engine) => {
  testWorkspaceRuntime(test, async () => dockerSubject(engine), {
    skip: {
      "workspace-runtime/keyed/unsupported": "runs with a key outlive their host",
      "workspace-runtime/network/not-off": "the network can be turned off",
      "workspace-runtime/skill-copies/run": "commands see the staged skills themselves",
      "workspace-runtime/skill-copies/workspace": "commands see the staged skills themselves",
    },
  });

  describe("with copies of skills", () => {
    testContract(test, stagingPromises, async () => dockerSubject(engine, { skillCopies: "workspace" }), {
      skip: {
        "workspace-runtime/stage/read-only": "commands may write to their copy",
        "workspace-runtime/skill-copies/run": "all runs in a container see the same files",
      },
    });
  });
});
