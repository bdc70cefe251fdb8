/**
 * A list of named checks for programs that are not Vitest suites because they install, publish or start things.
 * `check` runs one and prints its result; a failure does not stop the next. `close` prints the line that CI adds up.
 */
export function checks() {
  const failed = /** @type {string[]} */ ([]);
  let passed = 0;

  /** @param {string} name @param {() => unknown} body @returns {Promise<boolean>} whether it passed */
  async function check(name, body) {
    const started = performance.now();
    try {
      await body();
      passed++;
      console.log(`✓ ${name} (${seconds(started)})`);
      return true;
    } catch (error) {
      failed.push(name);
      console.log(
        `✗ ${name} (${seconds(started)})\n${indent(error instanceof Error ? error.message : String(error))}`,
      );
      return false;
    }
  }

  function close() {
    for (const name of failed) console.log(`failed: ${name}`);
    console.log(`${passed} passed, ${failed.length} failed`);
    process.exitCode = failed.length + (passed === 0 ? 1 : 0) > 0 ? 1 : 0;
  }

  return { check, close };
}

function seconds(started) {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`;
}

function indent(text) {
  return text.trimEnd().replace(/^/gm, "    ");
}
