import {
  type SkillSeed,
  testSkillRepository,
  testVersionedSkillRepository,
  testWritableSkillRepository,
} from "@skillwright/contracts";
import { describe, test } from "vitest";
import { freshMemory } from "../../../repository-sql/test/databases/sqlite-file.js";
import { subjects } from "../../../repository-sql/test/databases/subjects.js";
import { registryServer } from "./registry-server.js";

/** The registry keeps its skills and versions in SQLite; a real server is between it and the client. */
async function subject(seed: SkillSeed) {
  const stored = await subjects(freshMemory).repository(seed);
  const server = await registryServer({ repository: stored.repository, authorize: () => true });
  return {
    repository: server.client(),
    change: stored.change,
    async dispose() {
      await server.close();
      await stored.dispose?.();
    },
  };
}

describe("a registry over HTTP", () => {
  testSkillRepository(test, subject);
  testWritableSkillRepository(test, subject);
  testVersionedSkillRepository(test, subject);
});
