/** So much of each failure's text is repeated: its beginning and its end. */
const CHARACTERS_EACH = 2_000;

/**
 * Prints every failure once more, the name of each, the table of stages and, as the last line, the total. Returns true if nothing
 * failed and something passed.
 *
 * @param {{ name: string, seconds: number, passed: number, failed: number, note?: string, failures?: string[] }[]} results
 * @param {number} seconds from the first to the last, of which several went on at once
 */
export function report(results, seconds) {
  const total = {
    name: "total",
    seconds,
    passed: sum(results, "passed"),
    failed: sum(results, "failed"),
  };
  for (const { name, failures = [] } of results)
    for (const failure of failures) console.log(`\nfailed in ${name}: ${shortened(failure)}`);
  for (const { name, failures = [] } of results)
    for (const failure of failures)
      console.log(
        namesOf(failure)
          .map((line) => `\nfailed in ${name}: ${line}`)
          .join(""),
      );
  const width = Math.max(...results.map(({ name }) => name.length));
  console.log(`\n${"stage".padEnd(width)}   seconds   passed   failed`);
  for (const { name, seconds, passed, failed, note = "" } of [...results, total]) {
    const figures = [seconds.toFixed(1).padStart(7), String(passed).padStart(6), String(failed).padStart(6)];
    console.log(`${name.padEnd(width)}   ${figures.join("   ")}   ${note}`.trimEnd());
  }
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 && total.passed > 0;
}

/** The first line, and below it the tests that Vitest named within. */
function namesOf(text) {
  const [first = "", ...rest] = text.split("\n");
  const within = rest.map((line) => line.trim()).filter((line) => line.startsWith("FAIL "));
  return [first, ...new Set(within)];
}

function shortened(text) {
  const half = CHARACTERS_EACH / 2;
  return text.length <= CHARACTERS_EACH ? text : `${text.slice(0, half)}\n[…]\n${text.slice(-half)}`;
}

function sum(results, field) {
  return results.reduce((total, result) => total + result[field], 0);
}
