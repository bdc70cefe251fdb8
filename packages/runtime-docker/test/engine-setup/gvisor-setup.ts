import { existsSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { builtGvisor } from "../../../../scripts/cluster/start-cluster.mjs";
import { startDockerEngine } from "../../../../scripts/engines/docker-engine.mjs";
import { missingForEngine } from "../../../../scripts/engines/missing-for-engine.mjs";
import { engineBroker } from "./engine-broker.js";

/** The only engine of a run: Docker with the gVisor that is built with the cluster, or with the one that SKILLWRIGHT_RUNSC names. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const runsc = process.env["SKILLWRIGHT_RUNSC"] ?? (await builtGvisor());
  project.provide("onGvisor", true);
  if (!runsc || !existsSync(runsc) || missingForEngine("docker")) {
    console.log(
      "Suites on gVisor are left out: there is no Docker engine, or no runsc that SKILLWRIGHT_RUNSC names",
    );
    project.provide("engineBroker", "");
    return async () => undefined;
  }
  const { url, close } = await engineBroker({ gvisor: () => startDockerEngine({ runsc }) });
  project.provide("engineBroker", url);
  return close;
}
