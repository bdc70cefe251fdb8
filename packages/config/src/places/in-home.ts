/** Returns the source with the home directory in place of a leading `~`, also in `sqlite:~/…`. */
export function inHome(source: string, home: string | undefined): string {
  return home === undefined
    ? source
    : source.replace(/^(sqlite:|)~(?=\/|$)/i, (_, scheme) => `${scheme}${home}`);
}
