import type { TestProject } from "vitest/node";
import { engineBroker } from "./engine-broker.js";

declare module "vitest" {
  interface ProvidedContext {
    /** The address at which test files request engines; see engines.ts. */
    engineBroker: string;
  }
}

/** The engines of a whole run: started when the first test file requests one, ended after the last file. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, close } = await engineBroker();
  project.provide("engineBroker", url);
  return close;
}
