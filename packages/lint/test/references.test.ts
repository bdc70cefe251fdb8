import { describe, expect, test } from "vitest";
import type { LintedFile } from "../src/index.js";
import { BODY, inBody, lint, shown, skillFile } from "./lint-case.js";

const FILES: LintedFile[] = [
  { path: "scripts/run.py", content: "" },
  { path: "references/steps.md", content: "# Steps\n" },
  { path: "assets/logo one.svg", content: "<svg/>" },
];
const dangling = (body: string) => shown("SEC-23", lint([skillFile(body), ...FILES]));

describe("SEC-23: a reference that leads nowhere is a warning", () => {
  test.each([
    "Read [the steps](references/step.md) first.",
    "Run `python scripts/missing.py inputs/a.csv > out/a.md`.",
    "Run `python {baseDir}/scripts/missing.py`.",
    `Run \`python $${"{CLAUDE_SKILL_DIR}"}/scripts/missing.py\`.`,
    "See [other](../other/SKILL.md).",
    "See [the run](./scripts/Run.py).",
  ])("%s", (line) => {
    expect(dangling(line)).toEqual([`warning ${BODY}: ${line}`]);
  });

  test("references in a fenced command and in a reference file are checked", () => {
    expect(dangling("```bash\npython scripts/missing.py\n```")).toEqual([
      `warning ${BODY + 1}: python scripts/missing.py`,
    ]);
    const reference = { path: "references/more.md", content: "Then `scripts/gone.sh`.\n" };
    const [finding] = lint([skillFile("# Steps"), ...FILES, reference]);
    expect(finding).toMatchObject({ code: "SEC-23", path: "references/more.md", line: 1, column: 7 });
  });

  test.each([
    "Read [the steps](references/steps.md#first), [logo](assets/logo%20one.svg) and `scripts/run.py`.",
    "Run `python $SKILL_DIR/scripts/run.py inputs/a.csv --out out/a.md`.",
    "See [the site](https://example.org/a.md), [below](#below), [mail](mailto:a@example.org).",
    "Files match `scripts/*.py` and `references/<topic>.md`, such as `assets/one.png`.",
    "Create `references/notes.md` with what you found.",
    "Read `~/notes/a.md`, `/etc/hosts`, `src/main.py` and `work/a.md`.",
    "Write `[text](path/to/file.md)` for a link.",
    "```js\nawait run('node', ['scripts/own.js']);\n```",
    "```bash\ntool > assets/new.png\ntool -o assets/new.png\n```",
  ])("does not report %s", (body) => {
    expect(dangling(body)).toEqual([]);
  });

  test("is not checked where the skill has more files than were given, unless it leaves the skill", () => {
    expect(inBody("SEC-23", "[a](references/a.md)")).toEqual([]);
    expect(inBody("SEC-23", "[a](../../a.md)")).toHaveLength(1);
  });

  test("relative to the file that contains it, too", () => {
    const reference = {
      path: "references/more.md",
      content: "[steps](steps.md) and [run](../scripts/run.py)\n",
    };
    expect(shown("SEC-23", lint([skillFile("# Steps"), ...FILES, reference]))).toEqual([]);
  });
});
