import { test } from "node:test";
import {
  type Breakages,
  type CreateSubject,
  type SkillSeed,
  testBreakages,
  testContract,
} from "@skillwright/contracts";
import { type KilledWriterSubject, killedWriterPromises } from "./killed-writer-promises.ts";
import { repositorySubject } from "./subjects.ts";

const create: CreateSubject<KilledWriterSubject, SkillSeed> = async (seed) => ({
  ...(await repositorySubject("file", seed)),
  halfUpload: "halt",
});

/** A store that breaks each promise, here one without transactions. */
const breakages: Breakages<KilledWriterSubject> = {
  "sqlite-store/killed": (subject) => ({ ...subject, halfUpload: "haltCareless" }),
};

testContract(test, killedWriterPromises, create);
testBreakages(test, killedWriterPromises, breakages, create);
