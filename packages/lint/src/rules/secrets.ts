import type { CheckedRule, LintHit } from "../lint-rule.js";
import type { LintedText } from "../linted-text.js";
import { isPlaceholder } from "../placeholder.js";
import { isSecretFileName } from "../secret-file-name.js";
import { PRIVATE_KEY, secretShapes } from "../secret-shapes.js";
import { secretSpans } from "../secret-spans.js";
import { textWindows } from "../text-windows.js";

const WORDS = [...new Set(secretShapes.flatMap(({ words }) => words))];

/** SEC-16: keys recognised by their published forms, and key files recognised by name. */
export const secrets: CheckedRule = {
  id: "SEC-16",
  severity: "error",
  title: "Secret written into the skill",
  help: "Revoke the key where it was issued, delete it here, and read it from a declared environment variable.",
  *check({ skill, texts }) {
    for (const { path, kind = "file", size, content } of skill.files) {
      const isEmpty = (content?.length ?? size) === 0;
      if (kind === "file" && !isEmpty && isSecretFileName(path))
        yield {
          message: `${JSON.stringify(path.slice(0, 200))} is, by its name, a file that contains secrets.`,
          path,
        };
    }
    for (const file of texts) {
      yield* keys(file);
      yield* privateKeys(file);
    }
  },
};

function* keys(file: LintedText): Generator<LintHit, void, undefined> {
  for (const { text, own, place } of textWindows(file, WORDS)) {
    for (const { start, end, shape } of secretSpans(text.slice(0, own))) {
      if (isPlaceholder(text.slice(start, end), text.slice(end, end + 80), shape)) continue;
      yield { message: `The text contains ${shape.what}.`, path: file.path, ...place(start) };
    }
  }
}

/** An opening line alone is a mention. With key material after it, it is a key. */
function* privateKeys(file: LintedText): Generator<LintHit, void, undefined> {
  for (const { text, own, place } of textWindows(file, ["private key"])) {
    const match = PRIVATE_KEY.exec(text.slice(0, own));
    if (!match) continue;
    const { line, column } = place(match.index);
    const rest = text.slice(match.index + match[0].length, own);
    const next = [rest, ...[1, 2, 3, 4, 5].map((after) => file.line(line + after).slice(0, 300))].join("\n");
    const material = /[A-Za-z0-9+/]{40,}/.exec(next)?.[0] ?? "";
    if (new Set(material).size < 16) continue;
    yield { message: "The text contains a private key.", path: file.path, line, column };
  }
}
