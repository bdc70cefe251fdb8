import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const HERE = dirname(fileURLToPath(import.meta.url));
const LIBRARY = dirname(fileURLToPath(import.meta.resolve("pdfjs-dist/package.json")));

/**
 * The generated files of `skills/pdf-to-markdown`: the script with PDF.js inside, the character
 * maps, the library's licences. Paths in the skill's directory, with their content.
 */
export async function pdfSkillFiles() {
  return {
    "scripts/convert.bundle.mjs": await bundle(),
    "assets/character-maps.bin": await characterMaps(),
    "LICENSES/pdfjs-dist.txt": await readFile(join(LIBRARY, "LICENSE")),
    "LICENSES/adobe-cmap-resources.txt": await readFile(join(LIBRARY, "cmaps", "LICENSE")),
  };
}

async function bundle() {
  const { version } = JSON.parse(await readFile(join(LIBRARY, "package.json"), "utf8"));
  const result = await build({
    entryPoints: [fileURLToPath(import.meta.resolve("./pdf-to-markdown.mjs"))],
    // Names in the output are relative to this directory, so that they are the same on every machine.
    absWorkingDir: HERE,
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "node22",
    minify: true,
    charset: "ascii",
    legalComments: "none",
    logLevel: "silent",
    banner: { js: banner(version) },
    plugins: [withChanges()],
  });
  return Buffer.from(result.outputFiles[0].contents);
}

function banner(version) {
  return [
    "#!/usr/bin/env node",
    "// Built by `node scripts/bundle-skills.mjs` of the Skillwright repository from scripts/skill-sources/pdf-to-markdown.mjs.",
    `// Contains PDF.js (pdfjs-dist ${version}, Apache-2.0, Copyright Mozilla Foundation), changed: minified, without`,
    "// its look for a native canvas and its test font; and through it core-js (MIT). The licences are in LICENSES/.",
  ].join("\n");
}

/**
 * The parts removed from PDF.js: its search for a native canvas, since the script must load nothing outside itself,
 * and the encoded test font, which only browsers need and scanners of skills reject.
 */
const CHANGES = [
  {
    from: /try \{\s+const require = process\.getBuiltinModule\("module"\)[\s\S]+?\n {2}\}\n(?= {2}if \(!globalThis\.DOMMatrix\))/,
    to: "",
  },
  {
    from: /const require = process\.[^\n]+\n\s+const canvas = require\("@napi-rs\/canvas"\);\n\s+return [^\n]+/,
    to: 'throw new Error("no canvas");',
  },
  { from: /this\._loadTestFont \?\?= atob\([^\n]+\);/, to: 'this._loadTestFont ??= "";' },
];

function withChanges() {
  return {
    name: "with-changes",
    setup({ onLoad }) {
      onLoad({ filter: /pdfjs-dist[\\/]legacy[\\/]build[\\/]pdf\.mjs$/ }, async ({ path }) => {
        let contents = await readFile(path, "utf8");
        for (const { from, to } of CHANGES) {
          if (!from.test(contents)) throw new Error(`pdfjs-dist has changed: ${from} is not in ${path}`);
          contents = contents.replace(from, to);
        }
        if (contents.includes("createRequire"))
          throw new Error(`pdfjs-dist has changed: ${path} loads more modules`);
        return { contents, loader: "js" };
      });
    },
  };
}

/** All maps in one file: a line of JSON, `{ name: [start, size] }`, then their bytes. */
async function characterMaps() {
  const folder = join(LIBRARY, "cmaps");
  const names = (await readdir(folder)).filter((name) => name.endsWith(".bcmap")).sort();
  const contents = await Promise.all(names.map((name) => readFile(join(folder, name))));
  const index = {};
  let start = 0;
  for (const [at, name] of names.entries()) {
    index[name] = [start, contents[at].length];
    start += contents[at].length;
  }
  return Buffer.concat([Buffer.from(`${JSON.stringify(index)}\n`), ...contents]);
}
