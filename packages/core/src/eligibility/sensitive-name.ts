const SENSITIVE =
  /(^|_)(API_?KEY|KEYS?|TOKENS?|SECRETS?|PASS(WORD|WD|PHRASE)?|PWD|CREDENTIALS?|AUTH|COOKIE|PRIVATE|DSN)(_|$)|APIKEY/i;

/** Whether a variable's value is, by its name, most likely nobody else's business. */
export function isSensitiveName(name: string): boolean {
  return SENSITIVE.test(name);
}
