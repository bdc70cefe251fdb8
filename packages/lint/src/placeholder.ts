import type { SecretShape } from "./secret-shapes.js";

const STAND_IN =
  /example|sample|dummy|fake|placeholder|redact|change-?me|replace|insert|your|test|todo|x{4}|\*{3}|\.{3}|0{6}|1{6}|a{6}|12345|23456|abcdef|ABCDEF|qwerty|deadbeef|[<>${}%]|IxMjM0NTY3ODkw/i;
const WEAK =
  /^(?:pass(?:word|wd|phrase)?|pwd|pw|secret|admin|root|user(?:name)?|postgres|mysql|mongo(?:db)?|redis|guest|default|dev|prod|local|db|foo|bar|baz|hunter2|s3cret|token|key|api[_-]?key|myp\w*|mys\w*|p[@4]ss\w*|\w*pass(?:word|wd)?\d{0,4}!?)$/i;
const NEARBY =
  /^@(?:localhost|127\.0\.0\.1|0\.0\.0\.0|host\b|hostname\b|server\b|[\w-]+(?![\w.-])|[\w.-]*\bexample\.|[\w.-]*\.(?:local|test|internal|invalid)\b)/i;

/** True where text with the form of a secret is only a placeholder for one. */
export function isPlaceholder(secret: string, after: string, shape: SecretShape): boolean {
  if (STAND_IN.test(secret)) return true;
  if (shape.shown === 0)
    return WEAK.test(secret.replace(/\\$/, "")) || NEARBY.test(after) || secret.length < 6;
  // A random key contains digits and repeats few of its characters.
  const body = secret.replace(/^[a-z]{2,10}[-_](?:[a-z]{2,10}[-_])?/i, "");
  return !/\d/.test(body) || new Set(body).size < Math.min(10, body.length / 2);
}
