/**
 * Builds the shell text: a single word is used as it is; several words are quoted, so that the program receives each of
 * them unchanged.
 */
export function shellCommand(words: readonly string[]): string {
  return words.length === 1 ? (words[0] ?? "") : words.map(shellWord).join(" ");
}

/** The text that a shell reads as this one word. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
