import type { Diagnostic } from "@skillwright/core";

/** Maximum nesting of lists and maps. */
const MOST_LEVELS = 64;
/** Fields of a file that accept values of any form; `*` stands for any name. */
const VALUES = ["skills.values.*", "skills.entries.*.config.*"].map((path) => path.split("."));

/** Returns a copy without values nested deeper than 64 levels; each removal is reported. */
export function withoutDeepValues(
  given: unknown,
  path: string,
  tell: (diagnostic: Diagnostic) => void,
): unknown {
  return VALUES.reduce((whole, pattern) => pruned(whole, pattern, []), given);

  function pruned(value: unknown, pattern: readonly string[], at: readonly string[]): unknown {
    if (!isMap(value)) return value;
    const [first, ...rest] = pattern;
    const entries = Object.entries(value).flatMap(([key, inner]) => {
      if (first !== "*" && first !== key) return [[key, inner] as const];
      if (rest.length > 0) return [[key, pruned(inner, rest, [...at, key])] as const];
      if (!isDeep(inner)) return [[key, inner] as const];
      tell(tooDeep([...at, key].join("."), path));
      return [];
    });
    return Object.fromEntries(entries);
  }
}

/** Without recursion, because the value may be nested deeper than the stack allows. */
function isDeep(value: unknown): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MOST_LEVELS) return true;
    level = level.flatMap((each) => Object.values(each).filter(isContainer));
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isMap(value: unknown): value is Record<string, unknown> {
  return isContainer(value) && !Array.isArray(value);
}

function tooDeep(field: string, path: string): Diagnostic {
  return {
    code: "configuration.too-deep",
    severity: "warning",
    message: `\`${field}\` of ${path} is left out: it is nested deeper than ${MOST_LEVELS} levels.`,
    hint: "Nest fewer lists and maps inside each other.",
  };
}
