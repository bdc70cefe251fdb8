/** What must hold and what we aim at, what was measured, and whether that is met: a Markdown list. */
export function aimsList(judgements) {
  return judgements
    .map(
      ({ what, measured, met, kind = "must" }) =>
        `- ${met ? "met" : "**not met**"} (${kind}): ${what}: ${measured}`,
    )
    .join("\n");
}

/** A ratio that must stay below one bound and had better stay below another. */
export function ratioJudgements(what, ratio, { must, aim }) {
  const measured = `${ratio.toFixed(2)} times`;
  return [
    { what: `${what} at most ${must.toFixed(1)} times`, measured, met: ratio <= must },
    ...(aim === undefined
      ? []
      : [{ what: `${what} at most ${aim.toFixed(1)} times`, measured, met: ratio <= aim, kind: "aim" }]),
  ];
}
