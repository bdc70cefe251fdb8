/** What was written and not sent, of each conversation, in this tab; it outlives a reload. */
export function draftOf(conversation: string | undefined): string {
  return sessionStorage.getItem(keyOf(conversation)) ?? "";
}

export function keepDraft(conversation: string | undefined, text: string): void {
  if (text === "") sessionStorage.removeItem(keyOf(conversation));
  else sessionStorage.setItem(keyOf(conversation), text);
}

function keyOf(conversation: string | undefined): string {
  return `skillwright.draft ${conversation ?? "new"}`;
}
