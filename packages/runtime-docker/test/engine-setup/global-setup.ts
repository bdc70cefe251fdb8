import type { TestProject } from "vitest/node";
import { engineBroker } from "./engine-broker.js";

declare module "vitest" {
  interface ProvidedContext {
    /** Where test files ask for engines; see engines.ts. */
    engineBroker: string;
  }
}

/** Engines of a whole run: started when the first test file asks for one, ended after the last file. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, close } = await engineBroker();
  project.provide("engineBroker", url);
  return close;
}
