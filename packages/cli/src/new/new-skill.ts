import { skillFields } from "@skillwright/core";
import type { CliContext } from "../cli-context.js";
import type { ExampleFolder } from "./example-files.js";
import { madeText } from "./made-text.js";
import { makeSkill } from "./make-skill.js";

export interface NewFlags {
  readonly dir?: string;
  readonly description?: string;
  readonly with?: readonly ExampleFolder[];
  readonly license?: string;
  readonly allowedTools?: string;
}

export async function newSkill(name: string, flags: NewFlags, context: CliContext): Promise<void> {
  const { dir, description, license, allowedTools = "" } = flags;
  const options = {
    name,
    description,
    license,
    allowedTools: skillFields({ "allowed-tools": allowedTools }).allowedTools,
    folders: flags.with ?? [],
    directory: dir,
  };
  const made = await makeSkill(options, context.cwd);
  context.print(...madeText(made, description !== undefined, context));
}
