import type { TestProject } from "vitest/node";
import { engineBroker } from "./engine-broker.js";

declare module "vitest" {
  interface ProvidedContext {
    /** The address at which test files request engines; see engines.ts. Empty where there is none. */
    engineBroker: string;
    /** True where the only engine runs containers on gVisor. */
    onGvisor: boolean;
  }
}

/** The engines of a whole run: started when the first test file requests one, ended after the last file. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, close } = await engineBroker();
  project.provide("engineBroker", url);
  project.provide("onGvisor", false);
  return close;
}
