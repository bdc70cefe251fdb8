import { skillMarkdown } from "@skillwright/contracts";
import { onTestFinished } from "vitest";
import { freshMemory } from "../../../repository-sql/test/databases/sqlite-file.js";
import { subjects } from "../../../repository-sql/test/databases/subjects.js";
import { memoryLabels, type RegistryHandlerOptions } from "../../src/index.js";
import { type RegistryServer, registryServer } from "./registry-server.js";

export function csv(body: string) {
  return [{ path: "SKILL.md", content: skillMarkdown("csv", { body }) }];
}

export async function stored() {
  const subject = await subjects(freshMemory).repository({});
  onTestFinished(() => subject.dispose());
  return subject;
}

/** A registry with versions and labels, in which everything is permitted unless the options say otherwise. */
export async function versioned(options: Partial<RegistryHandlerOptions> = {}): Promise<RegistryServer> {
  const { repository } = await stored();
  return await served({ repository, labels: memoryLabels(), authorize: () => true, ...options });
}

export async function served(options: Omit<RegistryHandlerOptions, "writeArchive">): Promise<RegistryServer> {
  const server = await registryServer(options);
  onTestFinished(() => server.close());
  return server;
}
