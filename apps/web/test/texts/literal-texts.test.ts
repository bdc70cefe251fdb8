import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { literalTexts } from "./literal-texts.js";

const SOURCES = fileURLToPath(new URL("../../src/", import.meta.url));

test("no component contains a text that a person reads", () => {
  const paths = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".tsx"),
  );
  expect(paths.length).toBeGreaterThan(40);
  expect(paths.flatMap((path) => literalTexts(path, readFileSync(SOURCES + path, "utf8")))).toEqual([]);
});

test.each([
  ["a child", "<p>\n  Nothing runs.\n</p>", "a.tsx:2 Nothing runs."],
  ["a child of a fragment", "<>Nothing</>", "a.tsx:1 Nothing"],
  ["text beside a value", "<p>· {size} bytes</p>", "a.tsx:1 bytes"],
  ["a label", '<ul aria-label="Files" />', "a.tsx:1 Files"],
  ["a title in braces", '<Badge title={"Source"} />', "a.tsx:1 Source"],
  ["a label with a value", `<IconButton label={\`Delete \${name}\`} />`, "a.tsx:1 Delete"],
  ["one of two values", '<b>{isBusy ? texts.stopping : "Stop"}</b>', "a.tsx:1 Stop"],
  ["a value under a condition", '<b>{isPart && ", cut"}</b>', "a.tsx:1 , cut"],
  ["a value that stands in for another", '<h1 title={title ?? "Untitled"} />', "a.tsx:1 Untitled"],
  ["an element in an expression", "<b>{all.map((one) => <i>Ünder</i>)}</b>", "a.tsx:1 Ünder"],
])("finds %s", (_, jsx, found) => {
  expect(literalTexts("a.tsx", `const shown = (${jsx});`)).toEqual([`${found}`]);
});

test.each([
  ["signs", "<p>– {size} · 3 … ↵</p>"],
  ["texts of the language", "<p title={texts.runs.output}>{texts.runs.save}</p>"],
  ["what is compared", '<p title={end === "first" ? texts.first : texts.last}>{end === "first" && size}</p>'],
  ["names that no person reads", `<p className="flex" role="log" id={\`\${id}-row\`}>{key("a")}</p>`],
  ["values with signs between them", `<p title={\`\${path}\\n\${digest}\`}>{\` · \${size}\`}</p>`],
])("admits %s", (_, jsx) => {
  expect(literalTexts("a.tsx", `const shown = (${jsx});`)).toEqual([]);
});
