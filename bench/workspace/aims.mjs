/** The requirements and aims, the measured values, and whether they are met, as a Markdown list. */
export function aimsList(judgements) {
  return judgements
    .map(
      ({ what, measured, met, kind = "must" }) =>
        `- ${met ? "met" : "**not met**"} (${kind}): ${what}: ${measured}`,
    )
    .join("\n");
}

/**
 * A difference from what is compared that must not exceed a number of milliseconds.
 *
 * @param {string} what
 * @param {number} milliseconds
 * @param {{ mustMs: number }} bound
 */
export function differenceJudgement(what, milliseconds, { mustMs }) {
  const measured = `${milliseconds.toFixed(2)} ms more`;
  return {
    what: `${what} takes at most ${mustMs} ms more than without`,
    measured,
    met: milliseconds <= mustMs,
  };
}

/**
 * A ratio that must stay below one bound and should stay below another.
 *
 * @param {string} what
 * @param {number} ratio
 * @param {{ must: number, aim?: number }} bounds
 */
export function ratioJudgements(what, ratio, { must, aim }) {
  const measured = `${ratio.toFixed(2)} times`;
  return [
    { what: `${what} at most ${must.toFixed(1)} times`, measured, met: ratio <= must },
    ...(aim === undefined
      ? []
      : [{ what: `${what} at most ${aim.toFixed(1)} times`, measured, met: ratio <= aim, kind: "aim" }]),
  ];
}
