/**
 * A list of named checks for programs that are not Vitest suites because they install, publish or start things.
 * `check` runs one and prints its result; a failure does not stop the next. `passedBefore` counts checks that need not run again.
 * `close` prints the line that CI adds up.
 */
export function checks() {
  const failed = /** @type {string[]} */ ([]);
  let passed = 0;
  let before = 0;

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

  function passedBefore(/** @type {string} */ name, /** @type {number} */ count) {
    console.log(`✓ ${name}: ${count} checks passed before with the same inputs`);
    passed += count;
    before += count;
  }

  function close() {
    for (const name of failed) console.log(`failed: ${name}`);
    if (before > 0) console.log(`${before} as before`);
    console.log(`${passed} passed, ${failed.length} failed`);
    process.exitCode = failed.length + (passed === 0 ? 1 : 0) > 0 ? 1 : 0;
  }

  return { check, passedBefore, close };
}

function seconds(started) {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`;
}

function indent(text) {
  return text.trimEnd().replace(/^/gm, "    ");
}
