/** Hides whatever stands before the host in any url of the text, and queries. */
export function maskedUrls(text: string): string {
  return text
    .replace(/([A-Za-z][A-Za-z0-9+.-]*:\/\/)[^\s/@'"]*(?:@[^\s/@'"]*)*@/g, "$1***@")
    .replace(/(:\/\/[^\s?'"]*)\?[^\s'"]*/g, "$1?***");
}

/** As `maskedUrls`, and each of the secrets too, as they are and as they stand in a url. */
export function maskedText(text: string, secrets: readonly string[]): string {
  const all = secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]);
  // Longest first, so that no secret is left over because a part of it was hidden; urls last, for the same reason.
  const sorted = [...new Set(all)].sort((a, b) => b.length - a.length);
  return maskedUrls(sorted.reduce((masked, secret) => masked.replaceAll(secret, "***"), text));
}
