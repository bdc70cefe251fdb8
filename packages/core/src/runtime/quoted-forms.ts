/**
 * The forms in which programs print the text in quotes, without the outer quotes: JSON, encoded once and twice, also
 * with ASCII escapes; the shells' trace (`set -x`), `declare -p`, `export -p` and `printf %q`; Python's `repr`.
 */
export function quotedForms(text: string): readonly string[] {
  const json = inJson(text);
  return [
    json,
    inAscii(json),
    json.replaceAll("/", "\\/"),
    inJson(json),
    // bash and zsh, then dash.
    text.replaceAll("'", "'\\''"),
    text.replaceAll("'", `'"'"'`),
    text.replaceAll(/["$`\\]/g, "\\$&"),
    text.replaceAll(/[^A-Za-z0-9_./:@%+=,\u0080-\uffff-]/g, "\\$&"),
    withControls(text.replaceAll(/[\\']/g, "\\$&")),
    withControls(text.replaceAll("\\", "\\\\")),
  ];
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function inAscii(text: string): string {
  return text.replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function withControls(text: string): string {
  return text.replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t");
}
