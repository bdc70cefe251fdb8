import {
  type CallOptions,
  editSkill,
  isSkillName,
  readBytes,
  SKILL_LIMITS,
  type SkillCatalog,
  SkillError,
  serializeSkill,
} from "@skillwright/core";
import { currentSkill } from "./judged-change.js";
import { type ManageFields, NEEDED } from "./manage-fields.js";
import type { SkillChange } from "./skill-proposal.js";

/**
 * Converts the call's fields to a change of files. `update` preserves the rest byte for byte: the body where only the
 * description is given, the header where only the body is.
 * @throws SkillError `INPUT_INVALID` naming what the action needs; as `currentSkill` and `patchedText`.
 */
export async function requestedChange(
  skills: SkillCatalog,
  fields: ManageFields,
  repository: string,
  options: CallOptions,
): Promise<SkillChange> {
  checkNeeded(fields);
  const { action, name = "", description, body, path = "SKILL.md", content = "", version = "" } = fields;
  const target = { repository, name };
  if (action === "delete") return { ...target, action };
  if (action === "rollback") return { ...target, action, version };
  if (action === "create") {
    if (!isSkillName(name)) throw badName(name);
    const text = serializeSkill({ name, description: description ?? "", body: body ?? "" });
    return { ...target, action, put: [{ path: "SKILL.md", content: text }] };
  }
  const update = { ...target, action: "update" } as const;
  if (action === "remove_file") return { ...update, remove: [path] };
  if (action === "write_file") return { ...update, put: [{ path, content }] };
  // Gives a more precise error about the name than `open`.
  const current = await currentSkill(skills, update, options);
  const from = current?.digest;
  const bytes = async (file: string) =>
    await readBytes(await skills.open(name, file, options), SKILL_LIMITS.bytes);
  if (action === "patch") {
    const { old_text: old = "", new_text: replacement = "", replace_all: all = false } = fields;
    const text = patchedText(decoded(await bytes(path), path), { old, replacement, all, path });
    return { ...update, from, put: [{ path, content: text }] };
  }
  if (description === undefined && body === undefined)
    throw new SkillError("INPUT_INVALID", "update needs description, body or both.");
  const changes = {
    ...(description === undefined ? {} : { description }),
    ...(body === undefined ? {} : { body }),
    // A skill named only by its directory gets the name written down, because it could not be stored without it.
    ...(current?.frontmatter["name"] === undefined ? { name } : {}),
  };
  const edited = editSkill(await bytes("SKILL.md"), changes, { directoryName: name });
  return { ...update, from, put: [{ path: "SKILL.md", content: edited.content }] };
}

function decoded(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder("utf-8", { ignoreBOM: true, fatal: true }).decode(bytes);
  } catch (cause) {
    throw new SkillError("INPUT_INVALID", `${path} is not UTF-8 text. Only text can be patched.`, { cause });
  }
}

function badName(name: string): SkillError {
  const shown = JSON.stringify(name.slice(0, 80));
  return new SkillError(
    "INPUT_INVALID",
    `${shown} is not a valid skill name. Use 1 to 64 lower-case letters, digits and single hyphens.`,
  );
}

/** @throws SkillError `INPUT_INVALID` with all missing fields. */
export function checkNeeded(fields: ManageFields): void {
  const needed = NEEDED[fields.action] ?? [];
  const missing = needed.filter((field) => {
    const value = fields[field];
    return value === undefined || (field === "name" && value === "");
  });
  if (missing.length > 0)
    throw new SkillError(
      "INPUT_INVALID",
      `${fields.action} needs ${needed.join(", ")}. Missing: ${missing.join(", ")}.`,
      { details: { fields: missing } },
    );
}

/**
 * Returns the text with one occurrence replaced, or all of them.
 * @throws SkillError `INPUT_INVALID` where the old text is empty or does not occur, and where it occurs more than once
 * but `all` is not set.
 */
function patchedText(
  text: string,
  { old, replacement, all, path }: { old: string; replacement: string; all: boolean; path: string },
): string {
  const parts = old === "" ? [text] : text.split(old);
  const places = parts.length - 1;
  if (places === 0)
    throw new SkillError(
      "INPUT_INVALID",
      `old_text is not in ${path}. Read the file and give its exact text.`,
    );
  if (places > 1 && !all)
    throw new SkillError(
      "INPUT_INVALID",
      `old_text is in ${path} ${places} times. Give more of the text around it, or replace_all: true for every place.`,
    );
  return parts.join(replacement);
}
