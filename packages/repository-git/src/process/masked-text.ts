/** Hides everything before the host in any URL of the text, and queries. */
export function maskedUrls(text: string): string {
  return text
    .replace(/([A-Za-z][A-Za-z0-9+.-]*:\/\/)[^\s/@'"]*(?:@[^\s/@'"]*)*@/g, "$1***@")
    .replace(/(:\/\/[^\s?'"]*)\?[^\s'"]*/g, "$1?***");
}

/** Like `maskedUrls`, and also hides each of the secrets, plain and URL-encoded. */
export function maskedText(text: string, secrets: readonly string[]): string {
  const all = secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]);
  // Longest first, so that hiding a part does not leave the rest of a longer secret visible; URLs last, for the same
  // reason.
  const sorted = [...new Set(all)].sort((a, b) => b.length - a.length);
  return maskedUrls(sorted.reduce((masked, secret) => masked.replaceAll(secret, "***"), text));
}
