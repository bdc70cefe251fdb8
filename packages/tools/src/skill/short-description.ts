const MAX_DESCRIPTION = 1024;

/** The description, cut at the standard's limit and never within a character. */
export function shortDescription(description: string): string {
  if (description.length <= MAX_DESCRIPTION) return description;
  return `${description.slice(0, MAX_DESCRIPTION - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
