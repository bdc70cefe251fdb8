/** So much of each failure's text is repeated: its beginning and its end. */
const CHARACTERS_EACH = 2_000;

/**
 * Prints each failure, the table of stages with what was unsteady, and as the last line the counts. Returns true if nothing
 * failed, something passed and not too many files are unsteady.
 *
 * @param {import("./gate.mjs").Verdict[]} verdicts
 * @param {number} seconds of the whole
 * @param {number} unsteadyLimit
 */
export function report(verdicts, seconds, unsteadyLimit) {
  const failed = verdicts.flatMap(({ name, failed }) =>
    failed.map((failure) => ({ stage: name, ...failure })),
  );
  const unsteady = verdicts.flatMap(({ name, unsteady }) =>
    unsteady.map((failure) => ({ stage: name, ...failure })),
  );
  const rows = verdicts.map((verdict) => ({ ...verdict, failed: sum(verdict.failed, "failed") }));
  const total = {
    name: "total",
    seconds,
    passed: sum(rows, "passed"),
    failed: sum(rows, "failed"),
    unsteady: unsteady,
    note: "",
  };
  for (const { stage, texts } of failed)
    for (const text of texts) console.log(`\nfailed in ${stage}: ${shortened(text)}`);
  const width = Math.max(...rows.map(({ name }) => name.length));
  console.log(`\n${"stage".padEnd(width)}   seconds   passed   failed   unsteady`);
  for (const { name, seconds, passed, failed, unsteady, note = "" } of [...rows, total]) {
    const figures = [
      seconds.toFixed(1).padStart(7),
      String(passed).padStart(6),
      String(failed).padStart(6),
      String(unsteady.length).padStart(8),
    ];
    console.log(`${name.padEnd(width)}   ${figures.join("   ")}   ${note}`.trimEnd());
  }
  for (const { stage, name, texts } of unsteady)
    console.log(
      `\nunsteady in ${stage}: ${name} failed once and then passed by itself. Its failure:\n${texts.map(shortened).join("\n")}`,
    );
  for (const { stage, texts } of failed)
    for (const text of texts)
      console.log(
        namesOf(text)
          .map((line) => `failed in ${stage}: ${line}`)
          .join("\n"),
      );
  const tooMany = unsteady.length > unsteadyLimit;
  if (tooMany)
    console.log(`\n${unsteady.length} files are unsteady, and at most ${unsteadyLimit} may be: mend them.`);
  console.log(`${total.passed} passed, ${total.failed + (tooMany ? 1 : 0)} failed`);
  return total.failed === 0 && total.passed > 0 && !tooMany;
}

/** The first line, and below it the tests that Vitest named within. */
function namesOf(/** @type {string} */ text) {
  const [first = "", ...rest] = text.split("\n");
  const within = rest.map((line) => line.trim()).filter((line) => line.startsWith("FAIL "));
  return [first, ...new Set(within)];
}

function shortened(/** @type {string} */ text) {
  const half = CHARACTERS_EACH / 2;
  return text.length <= CHARACTERS_EACH ? text : `${text.slice(0, half)}\n[…]\n${text.slice(-half)}`;
}

function sum(rows, field) {
  return rows.reduce((total, row) => total + row[field], 0);
}
