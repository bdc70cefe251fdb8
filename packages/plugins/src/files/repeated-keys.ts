/**
 * The names that some object of the text has more than once. Programs disagree on which of the values counts.
 * @param text Valid JSON.
 * @throws RangeError for more than `mostLevels` objects and lists inside each other.
 */
export function repeatedKeys(text: string, mostLevels: number): readonly string[] {
  const repeated = new Set<string>();
  const open: (Set<string> | undefined)[] = [];
  for (const [token, name] of text.matchAll(TOKEN)) {
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(undefined);
    else if (token === "}" || token === "]") open.pop();
    else if (name !== undefined) {
      const key = JSON.parse(name) as string;
      const names = open.at(-1);
      if (names?.has(key)) repeated.add(key);
      names?.add(key);
    }
    if (open.length > mostLevels) throw new RangeError(`it has more than ${mostLevels} levels`);
  }
  return [...repeated];
}

/** Brackets, names of fields, and other texts, in which brackets mean nothing. */
const TOKEN = /[{}[\]]|("(?:[^"\\]|\\.)*")(?=\s*:)|"(?:[^"\\]|\\.)*"/g;
