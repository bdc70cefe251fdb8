import { testWorkspaceRuntime } from "@skillwright/core/testing";
import { describe, test } from "vitest";
import { dockerSubject } from "./docker-subject.js";
import { engines } from "./engine-setup/engines.js";

describe.each(await engines())("on $name", (engine) => {
  testWorkspaceRuntime(test, async () => dockerSubject(engine), {
    skip: { "workspace-runtime/network/not-off": "the network can be turned off" },
  });
});
