export const SKILL_URIS = "skill://";

/** `skill://csv-analyst/scripts/analyse.mjs` */
export function skillUri(name: string, path: string): string {
  return `${SKILL_URIS}${[name, ...path.split("/")].map(encodeURIComponent).join("/")}`;
}

/** Returns `undefined` for a URI that names no skill. The path is empty for the skill's folder. */
export function parseSkillUri(uri: string): { readonly name: string; readonly path: string } | undefined {
  if (!uri.startsWith(SKILL_URIS)) return undefined;
  try {
    const [name = "", ...path] = uri.slice(SKILL_URIS.length).split("/").map(decodeURIComponent);
    return name === "" ? undefined : { name, path: path.join("/") };
  } catch {
    return undefined;
  }
}
