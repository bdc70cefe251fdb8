import { z } from "zod";

const ACTIONS = [
  "list",
  "get",
  "create",
  "update",
  "patch",
  "write_file",
  "remove_file",
  "delete",
  "restore",
  "versions",
  "rollback",
  "reload",
] as const;

export type ManageAction = (typeof ACTIONS)[number];

/** Fields of `skill_manage`. A refusal tells which of them an action needs. */
export const manageFields = (scopes: readonly [string, ...string[]]) =>
  z.strictObject({
    action: z.enum(ACTIONS).describe(`One of ${ACTIONS.join(", ")}.`),
    name: z.string().trim().optional().describe("Name of the skill; needed by all but list and reload."),
    scope: z
      .enum(scopes)
      .optional()
      .describe(`Where the skill is kept: ${scopes.join(" or ")}; default ${scopes[0]}.`),
    description: z
      .string()
      .optional()
      .describe("For create and update: what it does and when to use it, on one line."),
    body: z.string().optional().describe("For create and update: the instructions, in Markdown."),
    path: z
      .string()
      .optional()
      .describe(
        "For patch, write_file, remove_file: SKILL.md (default of patch), or below references/, templates/, scripts/, assets/.",
      ),
    version: z.string().optional().describe("For rollback: one of those that versions lists."),
    content: z.string().optional().describe("For write_file: the whole text."),
    old_text: z.string().optional().describe("For patch: the text to replace, as it stands there, once."),
    new_text: z.string().optional().describe("For patch: what stands there instead."),
    replace_all: z.boolean().optional().describe("For patch: replace every place. Default false."),
    reload: z.boolean().optional().describe("Show the change in skill_list at once. Default true."),
  });

export type ManageFields = z.infer<ReturnType<typeof manageFields>>;

/** The required fields of each action, besides the name. */
export const NEEDED: Readonly<Partial<Record<ManageAction, readonly (keyof ManageFields)[]>>> = {
  get: ["name"],
  create: ["name", "description", "body"],
  update: ["name"],
  patch: ["name", "old_text", "new_text"],
  write_file: ["name", "path", "content"],
  remove_file: ["name", "path"],
  delete: ["name"],
  restore: ["name"],
  versions: ["name"],
  rollback: ["name", "version"],
};
