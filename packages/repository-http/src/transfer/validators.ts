/** Validators of an answer, with which the server can tell later whether it changed. */
export interface Validators {
  /** The final URL of the answer, after redirects. */
  readonly href: string;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** `undefined` where the server sent no validators. */
export function validatorsOf(headers: AnswerHeaders, { href }: URL): Validators | undefined {
  const etag = headerOf(headers, "etag");
  const lastModified = headerOf(headers, "last-modified");
  return etag || lastModified ? { href, etag, lastModified } : undefined;
}

/** Asks the server to omit the body if nothing changed. A time is the weaker validator, used where there is no tag. */
export function conditions(known: Validators | undefined, { href }: URL): Record<string, string> {
  if (known?.href !== href) return {};
  if (known.etag) return { "if-none-match": known.etag };
  return known.lastModified ? { "if-modified-since": known.lastModified } : {};
}

/** The single value, or the first of several. */
export function headerOf(headers: AnswerHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : value?.[0];
}
