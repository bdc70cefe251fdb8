/** The specifiers in `import`, `export ... from` and `import()` of a module, in their order. */
export function importedSpecifiers(source: string): string[] {
  const code = source.replace(/^\s*(\/\/|\/?\*).*$/gm, ""); // examples in comments import as they like
  return [...code.matchAll(specifier)].map((match) => match[1] ?? match[2] ?? "");
}

/** A statement's line ends in `from "x"` or is `import "x"`; a dynamic import can be anywhere. */
const specifier =
  /^\s*(?:(?:import|export|\})[^"'\n]*\sfrom|import)\s*["']([^"'\n]+)["']|\bimport\(\s*["']([^"'\n]+)["']/gm;

/** `@scope/name` or `name` of a package specifier; undefined for a relative or built-in one. */
export function packageOf(specifierText: string): string | undefined {
  if (/^(\.|\/|#|node:)/.test(specifierText)) return undefined;
  const [first = "", second] = specifierText.split("/");
  return first.startsWith("@") ? `${first}/${second}` : first;
}
