import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The names of an interface's own fields, read from a package's source. */
export function declaredOptions(file: string, name: string): readonly string[] {
  const path = fileURLToPath(new URL(`../../${file}`, import.meta.url));
  const [, body] = new RegExp(`\\ninterface ${name} \\{\\n([\\s\\S]*?)\\n\\}\\n`).exec(
    readFileSync(path, "utf8").replaceAll("export interface", "interface"),
  ) ?? [undefined, undefined];
  if (body === undefined) throw new Error(`${file} declares no interface ${name}.`);
  return [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, field]) => `${name}.${field}`);
}
