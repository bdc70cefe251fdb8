/** The specifiers that a module names in `import`, `export ... from` and `import()`, in the order of the text. */
export function importedSpecifiers(source: string): string[] {
  const code = source.replace(/^\s*(\/\/|\/?\*).*$/gm, ""); // examples in comments import as they like
  return [...code.matchAll(specifier)].map((match) => match[1] ?? match[2] ?? "");
}

/** A statement's own line ends in `from "x"` or is `import "x"`; a dynamic import may stand anywhere. */
const specifier =
  /^\s*(?:(?:import|export|\})[^"'\n]*\sfrom|import)\s*["']([^"'\n]+)["']|\bimport\(\s*["']([^"'\n]+)["']/gm;

/** `@scope/name` or `name` of a specifier that names a package; undefined for a relative or built-in one. */
export function packageOf(specifierText: string): string | undefined {
  if (/^(\.|\/|#|node:)/.test(specifierText)) return undefined;
  const [first = "", second] = specifierText.split("/");
  return first.startsWith("@") ? `${first}/${second}` : first;
}
