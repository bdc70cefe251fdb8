import { configurationInvalid, type FieldProblem } from "@skillwright/config";
import { isSkillDocument, type SkillCatalog, SkillError } from "@skillwright/core";
import type { DeclaredLoad } from "@skillwright/injector";

/**
 * Looks up the declared skills and documents once.
 * @throws SkillError `CONFIG_INVALID` naming each unknown skill and document, with those that exist.
 */
export async function checkDeclaredLoads(
  declared: readonly DeclaredLoad[],
  catalog: SkillCatalog,
): Promise<void> {
  const problems: FieldProblem[] = [];
  for (const [index, one] of declared.entries())
    problems.push(...(await problemsOf(one, `loads.declared[${index}]`, catalog)));
  if (problems.length > 0) throw configurationInvalid("The agent's configuration", problems);
}

async function problemsOf(
  declared: DeclaredLoad,
  path: string,
  catalog: SkillCatalog,
): Promise<readonly FieldProblem[]> {
  const { skill: name, documents } =
    typeof declared === "string" ? { skill: declared, documents: [] } : declared;
  const skill = await catalog.load(name).catch(undefinedIfMissing);
  if (!skill) {
    const names = (await catalog.snapshot()).skills.map((one) => one.name);
    return [{ path, given: JSON.stringify(name), expected: `the name of a skill: ${listed(names)}` }];
  }
  if (documents === "*") return [];
  const known = skill.manifest.files.map((file) => file.path).filter(isSkillDocument);
  return documents
    .filter((document) => !known.includes(document))
    .map((document) => ({
      path: `${path}.documents`,
      given: JSON.stringify(document),
      expected: `a document of "${name}": ${listed(known)}`,
    }));
}

function undefinedIfMissing(error: unknown): undefined {
  if (SkillError.is(error, "SKILL_NOT_FOUND")) return undefined;
  throw error;
}

const MAX_LISTED = 30;

function listed(names: readonly string[]): string {
  const more = names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : "";
  return names.length === 0 ? "there is none" : `${names.slice(0, MAX_LISTED).join(", ")}${more}`;
}
