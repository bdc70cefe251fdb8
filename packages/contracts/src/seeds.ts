/** A file that a contract asks an adapter to store. */
export type SeedFile =
  | string
  | Uint8Array
  | { readonly content: string | Uint8Array; readonly executable?: boolean };

/** Skills by path, each with its files by path. `{}` is an empty repository. */
export type SkillSeed = Readonly<Record<string, Readonly<Record<string, SeedFile>>>>;

/** SKILL.md of a valid skill. */
export function skillMarkdown(
  name: string,
  { description = `Does what ${name} does.`, body = `# ${name}\n\nUse it well.` } = {},
): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`;
}

/** Two skills with files of all kinds, next to each other, whose names have a common prefix. */
export const TWO_SKILLS: SkillSeed = {
  "csv-analyst": {
    "SKILL.md": skillMarkdown("csv-analyst"),
    "scripts/run.sh": { content: "#!/bin/sh\necho run\n", executable: true },
    "references/guide.md": "# Guide\n",
    "assets/logo.bin": Uint8Array.of(0, 255, 254, 10, 13, 0, 128),
  },
  csv: { "SKILL.md": skillMarkdown("csv") },
};
