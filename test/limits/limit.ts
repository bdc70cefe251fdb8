import type { Need } from "../needs/needs.js";

/** One documented default or limit. */
export interface Limit {
  /** The name of the package, without the scope. */
  readonly package: string;
  /** The name of the option or of the limited thing. */
  readonly option: string;
  /** `default`: applies if the caller sets none. `limit`: cannot be exceeded. */
  readonly kind: "default" | "limit";
  readonly value: number;
  readonly unit: string;
  /** A file, and words in it that state the value. White space and comment markers are ignored. */
  readonly documented: readonly [file: string, words: string];
  /** A file, and the text that sets the value as its first number. */
  readonly source: readonly [file: string, text: string];
  /** The programs that the probe needs. */
  readonly needs?: Need;
  /** Tests the boundary from outside: rejects if another value is in force. */
  readonly probe: (value: number) => void | Promise<void>;
}

export const KIB = 1024;
export const MIB = 1024 * KIB;
export const GIB = 1024 * MIB;
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const DAY = 24 * 60 * MINUTE;

/** The rows of one package; file paths are relative to the package. */
export function limitsOf(name: string, rows: readonly Omit<Limit, "package">[]): readonly Limit[] {
  const below = (file: string): string => (file.startsWith("/") ? file.slice(1) : `packages/${name}/${file}`);
  return rows.map((row) => ({
    ...row,
    package: name,
    documented: [below(row.documented[0]), row.documented[1]],
    source: [below(row.source[0]), row.source[1]],
  }));
}
