import { Buffer } from "node:buffer";
import type { Diagnostic } from "../diagnostic.js";

/** A shorter value occurs in other text by chance, as `test` does in `latest`. */
const MIN_SECRET_BYTES = 8;
/** Shannon entropy over the value's own characters. Eight different characters have 24 bits, `12121212` has 8. */
const MIN_SECRET_BITS = 16;

export type SecretWeakness = "too-short" | "too-plain";

/**
 * Explains why a value is not masked: fewer than 8 bytes after trimming, or less than 16 bits of entropy over its own
 * characters. Masking it would damage text that does not contain it. `undefined` for any other value.
 */
export function secretWeakness(value: string): SecretWeakness | undefined {
  const text = value.trim();
  if (Buffer.byteLength(text) < MIN_SECRET_BYTES) return "too-short";
  return entropyBits(text) < MIN_SECRET_BITS ? "too-plain" : undefined;
}

function entropyBits(text: string): number {
  const counts = new Map<string, number>();
  let length = 0;
  for (const character of text) {
    counts.set(character, (counts.get(character) ?? 0) + 1);
    length++;
  }
  let bits = 0;
  for (const count of counts.values()) bits -= count * Math.log2(count / length);
  return bits;
}

/** Reports the weakness of a variable's or setting's value as `secret.too-short` or `secret.too-plain`. */
export function secretWeaknessDiagnostic(place: string, weakness: SecretWeakness): Diagnostic {
  const what =
    weakness === "too-short"
      ? `has fewer than ${MIN_SECRET_BYTES} bytes`
      : `repeats too few characters (less than ${MIN_SECRET_BITS} bits of entropy)`;
  return {
    code: `secret.${weakness}`,
    severity: "warning",
    message: `The secret in ${place} ${what}, so it is not masked in outputs.`,
    hint: "Use a longer and less regular secret, or do not let commands print it.",
  };
}
