import { LOOK_ALIKES } from "./look-alikes.js";

/** What a name looks like: two names of one skeleton are hard to tell apart. In the manner of UTS 39, for names of skills. */
export function skeleton(name: string): string {
  const plain = Array.from(
    name.normalize("NFKC"),
    (character) => LOOK_ALIKES.get(character) ?? character,
  ).join("");
  const lower = plain.toLowerCase().normalize("NFKC");
  return Array.from(lower, (character) => LOOK_ALIKES.get(character) ?? character).join("");
}
