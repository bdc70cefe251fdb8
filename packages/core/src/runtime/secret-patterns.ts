import { Buffer } from "node:buffer";
import { quotedForms } from "./quoted-forms.js";
import { secretWeakness } from "./secret-strength.js";

const MIN_ENCODED_BYTES = 8;

/**
 * The byte strings that give a secret away: the value without white space around it, its lines that are secrets by
 * themselves, and of each the quoted forms, the percent-encoding and, wherever it stands in what is encoded, the base64.
 * Empty for a value that `secretWeakness` finds weak.
 */
export function secretPatterns(value: string): readonly Uint8Array[] {
  const whole = value.trim();
  if (secretWeakness(whole)) return [];
  const lines = whole.split(/[\r\n]+/).map((line) => line.trim());
  const texts = new Set([whole, ...lines.filter((line) => !secretWeakness(line))]);
  const patterns = new Set<string>();
  for (const text of texts)
    for (const form of [text, ...quotedForms(text), ...percentForms(text), ...base64Forms(Buffer.from(text))])
      patterns.add(form);
  return [...patterns].map((pattern) => Buffer.from(pattern));
}

function percentForms(text: string): readonly string[] {
  // Half a surrogate pair has no percent-encoding; a system that took it as a variable put a replacement in its place.
  const encoded = encodeURIComponent(Buffer.from(text).toString("utf8"));
  const lowerCase = encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  return [encoded, encoded.replaceAll("%20", "+"), lowerCase];
}

/**
 * Three bytes become four characters, so that there are three ways a value can lie in the encoding. At its ends a
 * character holds bits of the neighbours too; those are left out.
 */
function base64Forms(bytes: Buffer): readonly string[] {
  const forms = [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString("base64")
      .replaceAll("=", "");
    const [from, to] = [Math.ceil((before * 8) / 6), Math.floor(((before + bytes.byteLength) * 8) / 6)];
    return encoded.slice(from, to);
  });
  const urlForms = forms.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"));
  return [...forms, ...urlForms].filter((form) => form.length >= MIN_ENCODED_BYTES);
}
