/** A shell word that names a file of the example: below `inputs/`, or a sample below `assets/`. */
const INPUT = wordsBelow("inputs");
const SAMPLE = wordsBelow("assets");

export interface FilledCommand {
  readonly command: string;
  /** An input of the example for which there is no file. */
  readonly missing?: string;
}

/**
 * The example with the user's files instead of its own, matched by extension first; if it takes no file, with the
 * request's numbers instead of its own.
 */
export function fillCommand(example: string, files: readonly string[], request: string): FilledCommand {
  const inputs = paths(example, INPUT);
  const samples = inputs.length > 0 ? [] : paths(example, SAMPLE).filter((path) => alike(path, files));
  if (inputs.length + samples.length === 0) return { command: withNumbers(example, request) };
  const chosen = new Map<string, string>();
  const left = [...files];
  for (const path of [...inputs, ...samples]) {
    const same = left.findIndex((file) => extension(file) === extension(path));
    const [file] = left.splice(Math.max(0, same), 1);
    if (file === undefined) {
      if (chosen.size === 0) return { command: example, missing: path };
      continue;
    }
    chosen.set(path, file);
  }
  const replace = (word: string) => {
    const file = chosen.get(unquoted(word));
    return file === undefined ? word : quoted(file);
  };
  return { command: example.replace(INPUT, replace).replace(SAMPLE, replace) };
}

function wordsBelow(folder: string): RegExp {
  const path = `(?:\\./)?${folder}/`;
  return new RegExp(`"${path}[^"]+"|'${path}[^']+'|(?<![\\w./-])${path}[^\\s"'\`;|&<>()]+`, "g");
}

function paths(example: string, pattern: RegExp): string[] {
  return [...new Set([...example.matchAll(pattern)].map(([word]) => unquoted(word)))];
}

function alike(path: string, files: readonly string[]): boolean {
  return files.some((file) => extension(file) === extension(path));
}

function extension(path: string): string {
  return /\.[^./]+$/.exec(path)?.[0].toLowerCase() ?? "";
}

function unquoted(word: string): string {
  return word.replace(/^["']|["']$/g, "");
}

function quoted(path: string): string {
  return /^[\w./@%+=:,-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

/** A single number is replaced with the first of the request; a row of numbers with all of them. */
function withNumbers(example: string, request: string): string {
  const numbers = request.match(/(?<![\w./-])-?\d+(\.\d+)?(?![\w/-]|\.\d)/g) ?? [];
  if (numbers.length === 0) return example;
  const row = /(?<=\s)-?\d+(\.\d+)?( -?\d+(\.\d+)?)*(?=\s|$)/;
  return example.replace(row, (own) => (own.includes(" ") ? numbers.join(" ") : (numbers[0] ?? own)));
}
