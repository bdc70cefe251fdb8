/** The arguments for the started program. npm removes the `--` before them, pnpm and plain node pass it on. */
export function programArguments() {
  const given = process.argv.slice(2);
  return given[0] === "--" ? given.slice(1) : given;
}
