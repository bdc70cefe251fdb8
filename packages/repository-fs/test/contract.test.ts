import { rm } from "node:fs/promises";
import { join } from "node:path";
import {
  type SkillSeed,
  testArtifactStore,
  testContentStore,
  testRecordStore,
  testRestorableSkillRepository,
  testSkillRepository,
  testVersionedSkillRepository,
  testWritableSkillRepository,
} from "@skillwright/contracts";
import { test } from "vitest";
import { type FsRepository, fsArtifacts, fsContentStore, fsRecords, fsRepository } from "../src/index.js";
import { temporaryDirectory, writeSkills } from "./fs-subject.js";

testSkillRepository(test, subject);
testWritableSkillRepository(test, subject);
testRestorableSkillRepository(test, subject);
testVersionedSkillRepository(test, subject);

async function subject(seed: SkillSeed): Promise<{
  repository: FsRepository;
  change: (skills: SkillSeed) => Promise<void>;
  dispose: () => Promise<void>;
}> {
  const { root, dispose } = await temporaryDirectory();
  const skills = join(root, "skills");
  await writeSkills(skills, seed);
  return { repository: fsRepository({ root: skills }), change, dispose };

  async function change(changed: SkillSeed): Promise<void> {
    await rm(skills, { recursive: true });
    await writeSkills(skills, changed);
  }
}

testArtifactStore(test, async () => {
  const { root, dispose } = await temporaryDirectory();
  return { artifacts: fsArtifacts({ root: join(root, "artifacts") }), dispose };
});

testContentStore(test, async () => {
  const { root, dispose } = await temporaryDirectory();
  return { store: fsContentStore({ root }), other: fsContentStore({ root }), dispose };
});

testRecordStore(test, async () => {
  const { root, dispose } = await temporaryDirectory();
  const place = join(root, "records");
  const [records, other] = [fsRecords({ root: place }), fsRecords({ root: place })];
  const end = async () => {
    await Promise.all([records.close(), other.close()]);
    await dispose();
  };
  return { records, other, dispose: end };
});
