/**
 * Folds a path the way the most lenient file system compares it: ignoring case, Unicode form and invisible characters.
 * Two paths with the same folded form may be one file.
 */
export function foldedPath(path: string): string {
  const seen = path.normalize("NFD").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  // Upper case first, so that the long s and the sharp s become the letters they stand for.
  return seen.toUpperCase().toLowerCase().normalize("NFC");
}
