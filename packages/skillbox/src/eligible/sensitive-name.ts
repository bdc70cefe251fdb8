const SENSITIVE =
  /(^|_)(API_?KEY|KEYS?|TOKENS?|SECRETS?|PASS(WORD|WD|PHRASE)?|PWD|CREDENTIALS?|AUTH|COOKIE|PRIVATE|DSN)(_|$)|APIKEY/i;

/** True where a variable's name suggests that its value is a secret. */
export function isSensitiveName(name: string): boolean {
  return SENSITIVE.test(name);
}
