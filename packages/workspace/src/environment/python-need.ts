import { projectRequirements, scriptsWithPackages } from "./declared-python-packages.js";
import { type LockedRequirements, lockedRequirements } from "./locked-requirements.js";
import { lockedUvPackages } from "./locked-uv-packages.js";
import { unmetRequirements } from "./python-requirement.js";
import { besides, type FoundNeed, PLACES, type SkillFiles, type Unprepared } from "./skill-files.js";

type Locked = Exclude<LockedRequirements, { problem: string }>;

interface Chosen {
  readonly declaredIn: string;
  readonly locked: Locked;
}

/**
 * The one set of Python packages of a skill: the first `requirements.txt` or `uv.lock` that can be used, else the locks of
 * its scripts together. Scripts with a block of metadata are met by it or reported.
 */
export async function pythonNeed(skill: SkillFiles): Promise<FoundNeed> {
  const unprepared: Unprepared[] = [];
  const files = PLACES.flatMap((place) => [`${place}requirements.txt`, `${place}uv.lock`]).filter(skill.has);
  let chosen: Chosen | undefined;
  for (const path of files) {
    if (chosen) {
      unprepared.push(besides(path, chosen.declaredIn));
      continue;
    }
    const locked = await lockedIn(path, skill);
    if ("problem" in locked) unprepared.push({ path, why: locked.problem, remedy: locked.remedy });
    else chosen = { declaredIn: path, locked };
  }
  const scripts = await scriptsWithPackages(skill.files, skill.text);
  const locks = scripts.map(({ path }) => `${path}.lock`).filter(skill.has);
  if (!chosen && locks.length > 0) {
    const declaredIn = locks.join(", ");
    const locked = lockedUvPackages(await Promise.all(locks.map(skill.text)));
    if ("problem" in locked)
      unprepared.push({ path: declaredIn, why: locked.problem, remedy: locked.remedy });
    else chosen = { declaredIn, locked };
  }
  if (files.length === 0) unprepared.push(...(await unlockedProjects(skill, chosen)));
  for (const { path, declared } of scripts) {
    const why = "problem" in declared ? declared.problem : missingIn(declared.requirements, chosen);
    const remedy = `Run \`uv lock --script ${path}\`, or add its packages to the skill's lockfile.`;
    if (why !== undefined) unprepared.push({ path, why, remedy });
  }
  return { need: chosen && needOf(chosen, skill), unprepared, ignored: chosen?.locked.ignored ?? [] };
}

async function lockedIn(path: string, { has, text }: SkillFiles): Promise<LockedRequirements> {
  if (path.endsWith(".txt")) return lockedRequirements(await text(path));
  const project = path.replace(/uv\.lock$/, "pyproject.toml");
  if (!has(project))
    return {
      problem: "there is no pyproject.toml beside it",
      remedy: "Add the pyproject.toml that it locks.",
    };
  const locked = lockedUvPackages([await text(path)]);
  const declared = projectRequirements(await text(project));
  if ("problem" in locked) return locked;
  if ("problem" in declared) return { ...declared, remedy: `Correct ${project}, and run \`uv lock\`.` };
  const missing = unmetRequirements(declared.requirements, locked.packages);
  if (missing.length === 0) return locked;
  return { problem: `it does not lock ${missing.join(", ")} of ${project}`, remedy: "Run `uv lock`." };
}

/** Projects without a lockfile, unless others lock what they name. */
async function unlockedProjects(
  { has, text }: SkillFiles,
  chosen: Chosen | undefined,
): Promise<readonly Unprepared[]> {
  const found: Unprepared[] = [];
  for (const path of PLACES.map((place) => `${place}pyproject.toml`).filter(has)) {
    const declared = projectRequirements(await text(path));
    const why = "problem" in declared ? declared.problem : missingIn(declared.requirements, chosen);
    if (why !== undefined) found.push({ path, why, remedy: "Run `uv lock` in its folder." });
  }
  return found;
}

function missingIn(requirements: readonly string[], chosen: Chosen | undefined): string | undefined {
  const missing = unmetRequirements(requirements, chosen?.locked.packages ?? []);
  if (missing.length === 0) return undefined;
  return chosen ? `${chosen.declaredIn} does not lock ${missing.join(", ")}` : "they are not locked";
}

function needOf({ declaredIn, locked }: Chosen, { files }: SkillFiles): FoundNeed["need"] {
  const { packages, text, requiresPython } = locked;
  if (packages.length === 0) return undefined;
  const place = PLACES.findLast((one) => declaredIn.startsWith(one)) ?? "";
  return {
    kind: "python",
    declaredIn,
    packages,
    files: {
      "requirements.txt": text,
      ...(requiresPython !== undefined && { "requires-python": requiresPython }),
    },
    wheels: files.filter(({ path }) => path.startsWith(`${place}wheels/`) && path.endsWith(".whl")),
  };
}
