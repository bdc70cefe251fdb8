/** What a server said about an answer, by which it can tell later whether there is another. */
export interface Validators {
  /** Of the answer itself, after redirects. */
  readonly href: string;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** `undefined` where the server said nothing of use. */
export function validatorsOf(headers: AnswerHeaders, { href }: URL): Validators | undefined {
  const etag = headerOf(headers, "etag");
  const lastModified = headerOf(headers, "last-modified");
  return etag || lastModified ? { href, etag, lastModified } : undefined;
}

/** Asks the server to leave the body out where nothing changed. A time is the weaker word, and stands in for a tag. */
export function conditions(known: Validators | undefined, { href }: URL): Record<string, string> {
  if (known?.href !== href) return {};
  if (known.etag) return { "if-none-match": known.etag };
  return known.lastModified ? { "if-modified-since": known.lastModified } : {};
}

/** The one value, or the first of several. */
export function headerOf(headers: AnswerHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : value?.[0];
}
