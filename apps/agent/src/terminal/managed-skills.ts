import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { CheckedAgentConfig, SkillPlace } from "@skillwright/config";
import type { SkillCatalog, WritableSkillCatalog } from "@skillwright/core";
import { fsRecords } from "@skillwright/repository-fs";
import { type SkillProposals, skillProposals } from "@skillwright/tools";

type Manage = CheckedAgentConfig["skillTools"]["manage"];

/** Creates the folder for skills of this user, if the model may change skills. */
export async function makeOwnFolder(isManaged: boolean, home: string | undefined): Promise<void> {
  if (isManaged && home !== undefined) await mkdir(join(home, OWN_FOLDER), { recursive: true });
}

const OWN_FOLDER = ".skillwright/skills";

/** Where `skill_manage` writes, unless the configuration says so: the first folder of the project and of the user. */
export function withOwnScopes(manage: Manage, places: readonly SkillPlace[]): Manage {
  if (manage === false || (manage !== true && manage.scopes !== undefined)) return manage;
  const scopes = (["project", "user"] as const).flatMap((kind) => {
    const place = places.find((one) => one.kind === kind && one.found);
    return place ? [[kind, place.source] as const] : [];
  });
  return { ...(manage === true ? {} : manage), scopes: Object.fromEntries(scopes) };
}

/**
 * The changes of skills that wait for this user's decision, for the review `later`: stored in the user's home for each
 * project, so that they outlive a conversation.
 */
export function lastingProposals(
  manage: Manage,
  skills: SkillCatalog,
  { home, cwd }: { readonly home: string | undefined; readonly cwd: string },
): SkillProposals | undefined {
  if (home === undefined || typeof manage === "boolean" || manage.review !== "later") return undefined;
  if (!("upload" in skills)) return undefined;
  const project = createHash("sha256").update(cwd).digest("hex").slice(0, 32);
  const records = fsRecords({ root: join(home, ".skillwright", "proposals") });
  return skillProposals(skills as WritableSkillCatalog, {
    records,
    owner: { app: "terminal", user: project },
  });
}
