import { testContract, testWorkspaceRuntime, workspaceRuntimePromises } from "@skillwright/contracts";
import { describe, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { workspaces } from "./broken/breaking.js";
import { manyByGet } from "./broken/many-by-get.js";
import { localSubject, unsupervisedSubject } from "./local-subject.js";

const root = process.geteuid?.() === 0;

const manyPromises = workspaceRuntimePromises.filter(({ id }) =>
  id.startsWith("workspace-runtime/get-many/"),
);
const copyPromises = workspaceRuntimePromises.filter(({ id }) =>
  id.startsWith("workspace-runtime/skill-copies/"),
);
const noCopies = Object.fromEntries(
  copyPromises.map(({ id }) => [id, "commands see the staged skills themselves"]),
);
/** What nobody can promise where the host itself is the only one that sees a command and its end. */
const withoutSupervisor = {
  "workspace-runtime/recorded/live": "only the host sees the output of a run in progress",
  "workspace-runtime/recorded/stop": "only the host knows why a run ended",
  "workspace-runtime/recorded/outlives": "a run ends with its host",
};
const ofRecorded = hasAll("supervisor") ? {} : withoutSupervisor;
const noMany = Object.fromEntries(manyPromises.map(({ id }) => [id, "many calls of get cost no more here"]));

const groups = hasAll("bubblewrap") ? await limitsOfGroups() : [];

if (hasAll("bubblewrap"))
  describe("in a sandbox", () => {
    testWorkspaceRuntime(test, () => localSubject("sandbox"), {
      skip: {
        ...noMany,
        ...noCopies,
        ...ofRecorded,
        "workspace-runtime/network/not-off": "the network can be turned off",
        ...(groups.length === 2
          ? { "workspace-runtime/limits/unsupported": "control groups hold all of them here" }
          : {}),
      },
    });
  });

describe("without isolation", () => {
  const unclaimed = "nothing isolates the command";
  testWorkspaceRuntime(test, () => localSubject("none"), {
    skip: {
      ...noMany,
      ...noCopies,
      ...ofRecorded,
      "workspace-runtime/stage/read-only": unclaimed,
      "workspace-runtime/environment/clean": "a command may look at every process of its user (ENV-02)",
      ...(hasAll("supervisor")
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

describe("where no supervisor runs", () => {
  testContract(
    test,
    workspaceRuntimePromises.filter(({ id }) => id.startsWith("workspace-runtime/recorded/")),
    () => unsupervisedSubject("none"),
    { skip: withoutSupervisor },
  );
});

describe.each([
  ...(hasAll("bubblewrap") ? (["sandbox run", "sandbox workspace"] as const) : []),
  "none workspace" as const,
])("with copies of skills: %s", (kind) => {
  const [isolation, skillCopies] = kind.split(" ") as ["sandbox" | "none", "run" | "workspace"];
  testContract(
    test,
    workspaceRuntimePromises.filter(({ id }) => /\/(skill-copies|stage|unstage|recorded)\//.test(id)),
    () => localSubject(isolation, undefined, { skillCopies }),
    {
      skip: {
        "workspace-runtime/stage/read-only": "commands may write to their copy",
        ...(skillCopies === "run"
          ? { "workspace-runtime/skill-copies/workspace": "each run has its own" }
          : { "workspace-runtime/skill-copies/run": "the workspace has one for all runs" }),
      },
    },
  );
});

describe("with a getMany that calls get, which the broken ones are made of", () => {
  const reading = workspaces(({ get }) => ({ getMany: manyByGet(get) }));
  testContract(test, manyPromises, async () => {
    const { runtime, other, dispose } = await localSubject("none");
    return { runtime: reading(runtime), other: reading(other), dispose };
  });
});

async function limitsOfGroups(): Promise<readonly string[]> {
  const { runtime, dispose } = await localSubject("sandbox");
  const { limits } = await runtime.capabilities();
  await dispose();
  return limits.filter((limit) => limit === "memoryBytes" || limit === "cpu");
}
