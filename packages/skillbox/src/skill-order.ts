interface Placed {
  readonly path: string;
}

interface Named extends Placed {
  readonly name: string;
}

/** The order of skills in a listing. */
export function byNameThenPath(a: Named, b: Named): number {
  return compare(a.name, b.name) || byPath(a, b);
}

/** The order of broken skills. */
export function byPath(a: Placed, b: Placed): number {
  return compare(a.path, b.path);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
