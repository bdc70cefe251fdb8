const MAX_NAME = 32;

/**
 * The name as it can be typed after a slash: lower-case letters and digits of any script; everything else becomes `_`.
 */
export function commandName(label: string): string {
  const name = label
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "_");
  return cut(name.replace(/^_+|_+$/g, ""), MAX_NAME) || "command";
}

/** The name, or the first free one of `name_2`, `name_3`, ...; never longer than 32 characters. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const ending = number === 1 ? "" : `_${number}`;
    const candidate = `${cut(name, MAX_NAME - ending.length)}${ending}`;
    if (!taken.has(candidate)) return candidate;
  }
}

function cut(name: string, limit: number): string {
  return [...name].slice(0, limit).join("").replace(/_+$/, "");
}
