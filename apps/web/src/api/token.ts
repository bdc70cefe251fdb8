/** One place for each path of the page, because other pages of this origin may belong to other servers. */
const KEY = `skillwright.token ${new URL(".", document.baseURI).pathname}`;

/** Takes the token out of the address of the page, and so out of the history. */
export function takeToken(): void {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given === null) return;
  keepToken(given);
  history.replaceState(undefined, "", "#/");
}

export function keepToken(given: string | undefined): void {
  if (given === undefined) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, given.trim());
}

export function authorization(): Readonly<Record<string, string>> {
  const known = localStorage.getItem(KEY);
  return known === null ? {} : { authorization: `Bearer ${known}` };
}
