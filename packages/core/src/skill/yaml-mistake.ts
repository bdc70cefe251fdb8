/** A likely mistake in one `key: value`, in words. The position counts from 1, within the entry. */
export interface YamlMistake {
  /** Follows the key's name: `has a colon followed by a space`. */
  readonly what: string;
  readonly hint: string;
  readonly line: number;
  readonly column: number;
}

/** Looks for common mistakes in the source of an outermost entry that is not valid YAML. */
export function yamlMistake(source: string): YamlMistake | undefined {
  const lines = source.split("\n");
  const first = lines[0] ?? "";
  const start = /^[^:]*:[ \t]*/.exec(first)?.[0].length ?? 0;
  const value = first.slice(start);
  const tab = lines.findIndex((line, index) => index > 0 && /^ *\t/.test(line));
  if (tab > 0) return { ...TAB, line: tab + 1, column: 1 };
  const quote = /^["']/.exec(value)?.[0];
  if (quote) return { ...quoteMistake(quote, lines, start), line: 1, column: start + 1 };
  if (/^[@`%]/.test(value)) return { ...leadingSymbol(value.charAt(0)), line: 1, column: start + 1 };
  if (/^[[{&*!|>]/.test(value)) return undefined;
  for (const [index, line] of lines.entries()) {
    const from = index === 0 ? start : 0;
    const colon = line.slice(from).search(/:(?:[ \t]|$)/);
    if (colon >= 0) return { ...COLON, line: index + 1, column: from + colon + 1 };
  }
  return undefined;
}

const TAB = {
  what: "has a line that is indented with a tab, which YAML does not allow",
  hint: "Indent it with spaces.",
};

const COLON = {
  what: "contains a colon followed by a space, which YAML reads as the end of a key",
  hint: 'Put the whole value in double quotes, as in `description: "Use when: ..."`, or remove the colon.',
};

function quoteMistake(
  quote: string,
  lines: readonly string[],
  start: number,
): Pick<YamlMistake, "what" | "hint"> {
  const rest = [(lines[0] ?? "").slice(start + 1), ...lines.slice(1)].join("\n");
  const written = quote === '"' ? rest.replace(/\\./gs, "") : rest.replaceAll("''", "");
  const name = quote === '"' ? "double quote" : "single quote";
  if (!written.includes(quote))
    return {
      what: `begins with a ${name} that is never closed`,
      hint: `Write another ${quote} at the end of the value.`,
    };
  if (/\S/.test(written.slice(written.indexOf(quote) + 1)))
    return {
      what: `continues after its closing ${name}`,
      hint:
        quote === '"'
          ? 'Put the whole value in single quotes, or write \\" for each double quote inside it.'
          : "Put the whole value in double quotes, or write '' for each single quote inside it.",
    };
  return {
    what: "contains an escape that YAML does not define",
    hint: "Write \\\\ for each backslash, or put the value in single quotes.",
  };
}

function leadingSymbol(symbol: string): Pick<YamlMistake, "what" | "hint"> {
  return {
    what: `begins with ${symbol}, which has a special meaning in YAML`,
    hint: "Put the value in double quotes.",
  };
}
