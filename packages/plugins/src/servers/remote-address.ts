/** What is wrong with the URL of a server, as the end of a sentence. */
export function urlProblem(url: string): string | undefined {
  // URL parsers also accept blanks and backslashes, each in its own way.
  const host = /^https?:\/\/([^\s/\\?#{}|^`<>"]+)(?=[/?#]|$)[^\s\\]*$/i.exec(url)?.[1];
  if (host === undefined || !URL.canParse(url)) return "`url` is not an absolute http or https URL";
  if (url.includes("#")) return "`url` has a fragment";
  if (host.includes("@")) return "`url` has a user name or password";
  if (/^http:/i.test(url) && !isLoopback(host))
    return "`url` is not https, which only localhost and loopback addresses may leave out";
  return undefined;
}

/** A name that resolves to this machine, other than localhost, depends on the resolver. */
function isLoopback(authority: string): boolean {
  const host = authority.replace(/:\d*$/, "").toLowerCase();
  const { hostname } = new URL(`http://${host}/`);
  if (host === "localhost" || hostname === "[::1]") return true;
  return /^127(\.\d{1,3}){3}$/.test(host) && host === hostname;
}

/** What is wrong with the headers, as the end of a sentence. */
export function headersProblem(headers: Readonly<Record<string, string>>): string | undefined {
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    const shown = JSON.stringify(name);
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return `${shown} is not the name of an HTTP header`;
    if (!FIELD_VALUE.test(value)) return `the value of the header ${shown} is not one of HTTP`;
    if (seen.has(name.toLowerCase())) return `\`headers\` has ${shown} twice, in different cases`;
    seen.add(name.toLowerCase());
  }
  return undefined;
}

/** RFC 9110, section 5.5: visible characters with blanks between them, or nothing. */
const FIELD_VALUE = /^(?:[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?$/;
