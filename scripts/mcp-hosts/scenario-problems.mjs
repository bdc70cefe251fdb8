/**
 * Compares the outcome of a suite with the list of the scenarios that do not apply. One line for each scenario that fails and is not
 * listed, that is listed and passes, or that is listed and was not run.
 *
 * @param {ReadonlyMap<string, readonly { status: string, errorMessage?: string }[]>} ran the checks of each scenario that was run
 * @param {Readonly<Record<string, string>>} leftOut the reason for each scenario that does not apply
 */
export function scenarioProblems(ran, leftOut) {
  const problems = ran.size === 0 ? ["no scenario was run"] : [];
  for (const [name, checks] of ran) {
    const isListed = Object.hasOwn(leftOut, name);
    if (passes(checks) === !isListed) continue;
    if (isListed) problems.push(`${name} is listed as not applying, and passes: remove it from the list`);
    else problems.push(`${name} fails: ${failuresOf(checks)}`);
  }
  for (const name of Object.keys(leftOut))
    if (!ran.has(name)) problems.push(`${name} is listed, and the suite has no such scenario: remove it`);
  return problems;
}

/** A scenario that only warns has verified nothing. */
function passes(checks) {
  return (
    checks.some(({ status }) => status === "SUCCESS") && !checks.some(({ status }) => status === "FAILURE")
  );
}

function failuresOf(checks) {
  const told = checks.flatMap(({ status, errorMessage }) =>
    status === "FAILURE" ? [errorMessage ?? "no reason is given"] : [],
  );
  return told.length > 0 ? told.join("; ") : "none of its checks succeeded";
}
