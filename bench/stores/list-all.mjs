import { SKILLS } from "./catalogue.mjs";

/** Lists the repository, which must contain the catalogue and so many more skills. */
export async function listAll(repository, more = 0) {
  const { skills, broken, diagnostics } = await repository.list();
  if (skills.length + broken.length !== SKILLS + more)
    throw new Error(`${skills.length} skills and ${broken.length} broken ones were listed`);
  const failure = diagnostics.find(({ code }) => code === "index.failed");
  if (failure) throw new Error(failure.message);
  return skills;
}
