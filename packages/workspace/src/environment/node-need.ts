import { lockedNodePackages } from "./locked-node-packages.js";
import { besides, type FoundNeed, PLACES, type SkillFiles, type Unprepared } from "./skill-files.js";

/** The npm packages of a skill: `package.json` with `package-lock.json`. */
export async function nodeNeed(skill: SkillFiles): Promise<FoundNeed> {
  const { has, text } = skill;
  const [place, ...others] = PLACES.filter((one) => has(`${one}package-lock.json`));
  if (place === undefined) return { need: undefined, unprepared: await unlockedProjects(skill) };
  const declaredIn = `${place}package-lock.json`;
  const unprepared = others.map((other) => besides(`${other}package-lock.json`, declaredIn));
  const locked = lockedNodePackages(await text(`${place}package.json`), await text(declaredIn));
  if ("problem" in locked) {
    const remedy = "Correct package.json, and run `npm install --package-lock-only`.";
    return {
      need: undefined,
      unprepared: [...unprepared, { path: declaredIn, why: locked.problem, remedy }],
    };
  }
  if (locked.packages.length === 0) return { need: undefined, unprepared };
  return { need: { kind: "node", declaredIn, ...locked, wheels: [] }, unprepared };
}

async function unlockedProjects({ has, text }: SkillFiles): Promise<readonly Unprepared[]> {
  const found: Unprepared[] = [];
  for (const path of PLACES.map((place) => `${place}package.json`).filter(has))
    if (/"(dependencies|optionalDependencies)"\s*:\s*\{\s*"/.test(await text(path)))
      found.push({ path, why: "there is no package-lock.json beside it", remedy: "Run `npm install`." });
  return found;
}
