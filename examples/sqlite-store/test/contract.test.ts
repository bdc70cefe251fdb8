import { test } from "node:test";
import { testSessionStore, testSkillRepository, testWritableSkillRepository } from "@skillwright/contracts";
import { type Place, repositorySubject, sessionSubject } from "./subjects.ts";

const noReader = "A reader would be no cheaper than open, so there is none.";
const skip = {
  "skill-repository/reader/bytes": noReader,
  "skill-repository/reader/refused": noReader,
  "skill-repository/reader/own": noReader,
  "skill-repository/reader/locations": noReader,
  "skill-repository/reader/aborted": noReader,
};

for (const place of ["file", "memory"] satisfies Place[]) {
  testSkillRepository(test, (seed) => repositorySubject(place, seed), { skip });
  testWritableSkillRepository(test, (seed) => repositorySubject(place, seed));
  testSessionStore(test, () => sessionSubject(place));
}
