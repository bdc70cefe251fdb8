/**
 * Returns the text as databases can store and compare it: PostgreSQL refuses a NUL, and UTF-8 has no form for a lone
 * surrogate. Such a text becomes its JSON form.
 */
export function textKey(text: string): string {
  return UNSTORABLE.test(text) ? JSON.stringify(text) : text;
}

const UNSTORABLE = /\0|\p{Surrogate}/u;
