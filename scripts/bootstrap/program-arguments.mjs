/** What the user typed for the started program. npm swallows the `--` before it, pnpm and plain node hand it on. */
export function programArguments() {
  const given = process.argv.slice(2);
  return given[0] === "--" ? given.slice(1) : given;
}
