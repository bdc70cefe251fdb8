const MAX_BYTES = 200;
const DEFAULT_NAME = "upload";

/**
 * Converts a user's file name to a base name that is safe in any workspace: drops everything up to the last `/`, `\` or
 * drive letter, and control and direction characters; normalizes to Unicode form NFC; limits it to 200 bytes
 * while keeping the extension. `upload` where nothing is left.
 */
export function safeFileName(name: string): string {
  const base = name.split(/[/\\]/).at(-1) ?? "";
  const clean = base
    .replace(/^[A-Za-z]:/, "")
    .replace(/[\p{Cc}\p{Surrogate}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "")
    .normalize("NFC")
    .trim();
  return clean === "" || clean === "." || clean === ".." ? DEFAULT_NAME : shortened(clean);
}

/**
 * Numbers a name: `notes.txt`, then `notes_2.txt`, `notes_3.txt`. The number is placed before compound
 * extensions such as `.tar.gz`.
 */
export function numberedName(name: string, number: number): string {
  if (number === 1) return name;
  const extension = extensionOf(name);
  return `${name.slice(0, name.length - extension.length)}_${number}${extension}`;
}

function extensionOf(name: string): string {
  return /(?<=.)(\.tar)?\.[^. ]{1,16}$/u.exec(name)?.[0] ?? "";
}

function shortened(name: string): string {
  if (Buffer.byteLength(name) <= MAX_BYTES) return name;
  const extension = extensionOf(name);
  const limit = MAX_BYTES - Buffer.byteLength(extension);
  let stem = "";
  let bytes = 0;
  for (const character of name.slice(0, name.length - extension.length)) {
    bytes += Buffer.byteLength(character);
    if (bytes > limit) break;
    stem += character;
  }
  return stem + extension;
}
