import { useEffect, useState } from "react";
import type { ColouredPart } from "./coloured-lines.js";

export type ColouredLines = readonly (readonly ColouredPart[])[];

/** Longer programs stay plain, so that the page stays usable. */
const MOST_CHARACTERS = 100_000;

/** The lines of a program in colours, once they are known. What colours them is loaded when it is first needed. */
export function useColouredLines(name: string, text: string | undefined): ColouredLines | undefined {
  const [lines, setLines] = useState<ColouredLines>();
  const language = languageOf(name);
  useEffect(() => {
    setLines(undefined);
    if (text === undefined || language === undefined || text.length > MOST_CHARACTERS) return undefined;
    let isLeft = false;
    import("./coloured-lines.js").then(
      ({ colouredLines }) => !isLeft && setLines(colouredLines(text, language)),
      // Without colours it can be read too.
      () => undefined,
    );
    return () => {
      isLeft = true;
    };
  }, [text, language]);
  return lines;
}

function languageOf(name: string): string | undefined {
  const ending = /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  return LANGUAGES.find(([endings]) => endings.split(" ").includes(ending))?.[1];
}

const LANGUAGES = [
  ["sh bash", "bash"],
  ["js mjs cjs jsx", "javascript"],
  ["ts mts cts tsx", "typescript"],
  ["py", "python"],
  ["rb", "ruby"],
  ["yaml yml", "yaml"],
  ["toml ini", "ini"],
  ["xml", "xml"],
  ["patch diff", "diff"],
  ["h c", "c"],
  ["cpp hpp", "cpp"],
  ["rs", "rust"],
  ["json", "json"],
  ["css", "css"],
  ["go", "go"],
  ["java", "java"],
  ["sql", "sql"],
] as const;
