/** The folders that the standard defines. */
export const EXAMPLE_FOLDERS = ["scripts", "references", "assets"] as const;
export type ExampleFolder = (typeof EXAMPLE_FOLDERS)[number];

export interface ExampleFile {
  /** Relative to the skill. */
  readonly path: string;
  readonly text: string;
  readonly executable?: true;
  /** How SKILL.md refers to it. */
  readonly use: string;
}

const SCRIPT = `#!/usr/bin/env node
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";

const HELP = \`Usage: node scripts/example.mjs [--json] FILE

Counts the lines, words and characters of a text file.

  --json      print the counts as JSON
  -h, --help  print this help\`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { help: { type: "boolean", short: "h" }, json: { type: "boolean" } },
});
const [file] = positionals;
if (values.help) console.log(HELP);
else if (file === undefined) {
  console.error(HELP);
  process.exitCode = 2;
} else {
  const text = await readFile(file, "utf8");
  const counts = {
    lines: text.split("\\n").length - (text.endsWith("\\n") ? 1 : 0),
    words: text.split(/\\s+/).filter(Boolean).length,
    characters: [...text].length,
  };
  if (values.json) console.log(JSON.stringify(counts));
  else for (const [name, count] of Object.entries(counts)) console.log(\`\${count} \${name}\`);
}
`;

const CHECKLIST = `# Checklist

Go through it before the result is handed over.

- Everything that was asked for is there, and nothing else.
- Every number was counted or calculated, none was guessed.
- Names, dates and units are as they are in the input.
- What could not be done is said, with the reason.
`;

const REPORT = `# Report

## Result

One paragraph: what was found or made.

## How it was done

The steps, one line each.

## Open points

What is missing or uncertain, and who can settle it.
`;

export const EXAMPLES: Readonly<Record<ExampleFolder, ExampleFile>> = {
  scripts: {
    path: "scripts/example.mjs",
    text: SCRIPT,
    executable: true,
    use: "`scripts/example.mjs` counts the lines, words and characters of a text file. Run `node scripts/example.mjs --help` first.",
  },
  references: {
    path: "references/checklist.md",
    text: CHECKLIST,
    use: "[The checklist](references/checklist.md): read it before step 3.",
  },
  assets: {
    path: "assets/report.md",
    text: REPORT,
    use: "`assets/report.md` is the form of a report. Fill it in where one is wanted.",
  },
};
