/**
 * The text for the shell: one word is a text already; several are quoted, so that each arrives at the program as it was
 * given here.
 */
export function shellCommand(words: readonly string[]): string {
  return words.length === 1 ? (words[0] ?? "") : words.map(quoted).join(" ");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
