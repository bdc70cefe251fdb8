/** Reads through the built package, as another process would, until it sees the last name: `list.mjs <url> <cache> <last>`. */
const { gitRepository } = await import("../../dist/index.js");
const [url, cache, last] = process.argv.slice(2);
const seen = [];
while (seen.at(-1) !== last) {
  const skills = gitRepository({ url, cache, ref: "main", allowLocal: true });
  const [{ name }] = (await skills.list()).skills;
  const { manifest } = await skills.load(name);
  const texts = manifest.files.filter(({ path }) => path === `only-${name}.txt`);
  if (texts.length !== 1 || manifest.files.length !== 2)
    throw new Error(`A mix: ${JSON.stringify(manifest)}`);
  if (seen.at(-1) !== name) seen.push(name);
}
console.log(JSON.stringify(seen));
