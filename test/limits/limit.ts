import type { Need } from "../needs/needs.js";

/** One default or limit that the documents state. */
export interface Limit {
  /** Without the scope. */
  readonly package: string;
  /** The option's name, or what is limited. */
  readonly option: string;
  /** `default`: in force where the caller gives none. `limit`: nobody gets past it. */
  readonly kind: "default" | "limit";
  readonly value: number;
  readonly unit: string;
  /** A file, and words in it that state the value. White space and the marks of comments do not count. */
  readonly documented: readonly [file: string, words: string];
  /** A file, and the text that sets the value; its first number is the one. */
  readonly source: readonly [file: string, text: string];
  /** What a machine must have for the probe. */
  readonly needs?: Need;
  /** Meets the boundary from outside: rejects where another value is in force. */
  readonly probe: (value: number) => void | Promise<void>;
}

export const KIB = 1024;
export const MIB = 1024 * KIB;
export const GIB = 1024 * MIB;
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const DAY = 24 * 60 * MINUTE;

/** The rows of one package: files are given below the package. */
export function limitsOf(name: string, rows: readonly Omit<Limit, "package">[]): readonly Limit[] {
  const below = (file: string): string => (file.startsWith("/") ? file.slice(1) : `packages/${name}/${file}`);
  return rows.map((row) => ({
    ...row,
    package: name,
    documented: [below(row.documented[0]), row.documented[1]],
    source: [below(row.source[0]), row.source[1]],
  }));
}
