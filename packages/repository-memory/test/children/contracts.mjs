/** The contracts under Node's own test runner, with the built packages: `node --test contracts.mjs`. */
import { test } from "node:test";
import {
  testArtifactStore,
  testRecordStore,
  testSkillRepository,
  testWritableSkillRepository,
} from "@skillwright/contracts";
import { memoryArtifacts, memoryRecords, memoryRepository } from "@skillwright/repository-memory";

const subject = async (skills) => {
  const repository = memoryRepository({ skills });
  return { repository, change };

  async function change(changed) {
    for (const { path } of (await repository.list()).skills) await repository.delete(path);
    for (const files of Object.values(changed))
      await repository.upload(Object.entries(files).map(([path, content]) => ({ path, content })));
  }
};

testSkillRepository(test, subject);
testWritableSkillRepository(test, subject);
testArtifactStore(test, async () => ({ artifacts: memoryArtifacts() }));
testRecordStore(test, async () => {
  const records = memoryRecords();
  return { records, other: records };
});
