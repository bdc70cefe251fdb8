import { catalogDiagnostics } from "@skillwright/agent";
import { wasAsked } from "@skillwright/config";
import type { Diagnostic } from "@skillwright/core";
import type { App } from "./app.js";
import { formatCount } from "./format.js";
import type { Screen } from "./screen.js";

/** The first lines: the model, the isolation, the skills, and what was left out. */
export function showBanner(screen: Screen, app: App): void {
  const { colours } = screen;
  const fact = (name: string, text: string) => screen.prose(`  ${colours.dim(name.padEnd(10))} ${text}`, 13);
  screen.line(colours.bold("Skillwright reference agent"));
  if (app.model.provider === "offline") {
    fact(
      "model",
      `${app.model.model}, not a language model: selects a skill by your words and runs its example`,
    );
    fact(
      "",
      colours.dim("for a language model, set OPENAI_API_KEY or ANTHROPIC_API_KEY; see --model in --help"),
    );
  } else fact("model", `${app.model.provider}:${app.model.model} (${app.model.because})`);
  fact("isolation", isolationText(app));
  if (app.isolation.level === "none")
    fact("", colours.yellow("only the bundled skills run without asking; anything else needs your approval"));
  fact(
    "skills",
    `${formatCount(app.snapshot.skills.length, "skill")} from ${formatCount(placesUsed(app), "place")}`,
  );
  for (const { source } of app.places) {
    const count = app.snapshot.skills.filter((skill) => skill.source === source).length;
    if (count > 0) fact("", colours.dim(`${source}: ${count}`));
  }
  for (const { source } of app.places.filter((place) => wasAsked(place) && !place.found))
    screen.prose(`  ${colours.yellow("!")} ${source} is not a folder, so it is not searched for skills.`, 4);
  showWarnings(screen, [...app.diagnostics, ...catalogDiagnostics(app.snapshot)]);
  if (app.waiting > 0) {
    const changes = app.waiting === 1 ? "1 change of a skill waits" : `${app.waiting} changes of skills wait`;
    screen.prose(`  ${colours.yellow("?")} ${changes} for your decision: /proposals in --chat`, 4);
  }
  screen.line();
}

/** Problems of the runtime, the configuration and the skills, each with its remedy. */
export function showWarnings(screen: Screen, diagnostics: readonly Diagnostic[]): void {
  for (const { severity, message, hint } of diagnostics)
    if (severity !== "info") screen.prose(`  ${screen.colours.yellow("!")} ${message} ${hint}`, 4);
}

/** A warning that follows has the reason and the remedy where a sandbox was wanted and there is none. */
function isolationText({ isolation, diagnostics }: App): string {
  const isTold = diagnostics.some(({ code }) => code === "isolation.none");
  return isTold ? isolation.level : `${isolation.level} (${isolation.by})`;
}

function placesUsed({ places, snapshot }: App): number {
  const used = new Set(snapshot.skills.map(({ source }) => source));
  return places.filter(({ source }) => used.has(source)).length;
}
