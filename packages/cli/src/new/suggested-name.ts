/**
 * The most similar name that every client accepts, such as `my-skill` for `My Skill`; `undefined` where no letter or
 * digit is left.
 */
export function suggestedName(text: string): string | undefined {
  const name = text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replace(/['’]/g, "")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 65)
    .replace(/^-|-$/g, "")
    .slice(0, 64)
    .replace(/-$/, "");
  return name === "" ? undefined : name;
}
