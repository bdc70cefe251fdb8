import { Buffer } from "node:buffer";
import { quotedForms } from "./quoted-forms.js";
import { secretWeakness } from "./secret-strength.js";

const MIN_ENCODED_BYTES = 8;

/**
 * The byte strings that reveal a secret: the trimmed value, those of its lines that are secrets by themselves, and for
 * each of these the quoted forms, the percent-encoding, and the base64 encoding at every alignment. Empty for a value
 * that `secretWeakness` considers weak.
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
  // A lone surrogate has no percent-encoding; a system that accepted it in a variable replaced it.
  const encoded = encodeURIComponent(Buffer.from(text).toString("utf8"));
  const lowerCase = encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  return [encoded, encoded.replaceAll("%20", "+"), lowerCase];
}

/**
 * Base64 encodes three bytes as four characters, so a value can start at three alignments. The characters at its ends
 * also encode bits of the neighbours and are left out.
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
