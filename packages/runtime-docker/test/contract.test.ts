import { testContract, testWorkspaceRuntime, workspaceRuntimePromises } from "@skillwright/contracts";
import { describe, test } from "vitest";
import { shortForm } from "../../../test/short-form.js";
import { dockerSubject } from "./docker-subject.js";
import { engines, LOCAL_ENGINES } from "./engine-setup/engines.js";

const stagingPromises = workspaceRuntimePromises.filter(({ id }) =>
  /\/(skill-copies|stage|unstage)\//.test(id),
);

const usual = {
  "workspace-runtime/network/not-off": "the network can be turned off",
  "workspace-runtime/skill-copies/run": "commands see the staged skills themselves",
  "workspace-runtime/skill-copies/workspace": "commands see the staged skills themselves",
};

const onGvisor = {
  ...usual,
  "workspace-runtime/output/devices": "gVisor opens a pipe by its name for its owner only",
  "workspace-runtime/destroy/hostile-tree": "bash fails in paths longer than PATH_MAX on gVisor",
};

/** `tcp` is the engine of `docker` in another network: what differs is the connection. */
describe.each(await engines(["tcp"]))("in short, on $name", (engine) => {
  const promises = shortForm(workspaceRuntimePromises.filter(({ id }) => !(id in usual)));
  testContract(test, promises, async () => dockerSubject(engine));
});

describe.each(await engines(LOCAL_ENGINES))("on $name", (engine) => {
  const isGvisor = engine.name === "gvisor";
  // Much of the time is waited for an engine that makes a container.
  const each = test.concurrent;
  testWorkspaceRuntime(each, async () => dockerSubject(engine, isGvisor ? { ociRuntime: "runsc" } : {}), {
    skip: isGvisor ? onGvisor : usual,
  });

  describe("with copies of skills", () => {
    testContract(each, stagingPromises, async () => dockerSubject(engine, { skillCopies: "workspace" }), {
      skip: {
        "workspace-runtime/stage/read-only": "commands may write to their copy",
        "workspace-runtime/skill-copies/run": "all runs in a container see the same files",
      },
    });
  });
});
