import { LOOK_ALIKES } from "./look-alikes.js";

/**
 * Reduces a name to its appearance: two names with the same skeleton are hard to tell apart. Follows UTS 39, restricted
 * to skill names.
 */
export function skeleton(name: string): string {
  const plain = Array.from(
    name.normalize("NFKC"),
    (character) => LOOK_ALIKES.get(character) ?? character,
  ).join("");
  const lower = plain.toLowerCase().normalize("NFKC");
  return Array.from(lower, (character) => LOOK_ALIKES.get(character) ?? character).join("");
}
