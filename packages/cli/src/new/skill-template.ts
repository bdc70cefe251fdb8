import { SkillError, serializeSkill, validateSkill } from "@skillwright/core";
import { EXAMPLES, type ExampleFolder } from "./example-files.js";

export interface NewSkillText {
  readonly name: string;
  /** Generated from the name where it is missing. */
  readonly description: string | undefined;
  readonly license: string | undefined;
  readonly allowedTools: readonly string[];
  readonly folders: readonly ExampleFolder[];
}

/**
 * An initial SKILL.md that every client accepts.
 * @throws SkillError `INPUT_INVALID` where some client refuses the given name or text.
 */
export function skillTemplate(options: NewSkillText): string {
  const { name, description = plainDescription(name), license, allowedTools, folders } = options;
  const compatibility = folders.includes("scripts") ? "Needs Node.js 22 or newer." : undefined;
  const body = bodyText(name, folders);
  const text = serializeSkill({ name, description, license, compatibility, allowedTools, body });
  const errors = validateSkill(text, { directoryName: name, profile: "portable" }).filter(
    ({ severity }) => severity === "error",
  );
  if (errors.length === 0) return text;
  const reasons = errors.map(({ message, hint }) => `${message} ${hint}`).join(" ");
  throw new SkillError("INPUT_INVALID", `Some clients would reject the skill. ${reasons}`);
}

function plainDescription(name: string): string {
  const subject = name.replaceAll("-", " ");
  return `Guides work on ${subject}. Use it when a task is about ${subject}.`;
}

function bodyText(name: string, folders: readonly ExampleFolder[]): string {
  const subject = name.replaceAll("-", " ");
  const files = folders.map((folder) => `- ${EXAMPLES[folder].use}`);
  return [
    `# ${subject.charAt(0).toUpperCase()}${subject.slice(1)}`,
    "",
    "## Steps",
    "",
    "1. Find out what is wanted: which input, which result, by which rules.",
    "2. Do the work in small steps, and say what each one showed.",
    "3. Check the result against what was wanted before handing it over.",
    ...(files.length > 0 ? ["", "## Files", "", ...files] : []),
    "",
    "## When something is missing",
    "",
    "Name what is missing and ask for it. Do not guess.",
  ].join("\n");
}
