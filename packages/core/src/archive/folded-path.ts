/**
 * The path as the most forgiving file system compares it: without regard to case, Unicode form, and characters that
 * nobody sees. Two paths of one folded form may be one file. Source: SEC-06.
 */
export function foldedPath(path: string): string {
  const seen = path.normalize("NFD").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  // Upper case first, so that a long s and a sharp s meet the letters they stand for.
  return seen.toUpperCase().toLowerCase().normalize("NFC");
}
