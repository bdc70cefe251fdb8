import { tell } from "../../scripts/bootstrap/step.mjs";
import { seededRandom } from "../format/random.mjs";
import { floors } from "./floors.mjs";
import { startLoader } from "./start-loader.mjs";

export const FEW_HANDLES = 256;

/**
 * Every loader finds the skills in turn, in another order each round; the first round starts cold and is reported separately. No
 * further round begins after `seconds`. Then each runs once more in a new process with few file handles.
 *
 * @returns `{ rounds, results, failures }`; a result is `{ facts, first, rounds, yields, few }`
 */
export async function discovery({ modules, directory, node, rounds, seconds }) {
  const failures = [];
  const results = [];
  const random = seededRandom(7);
  for (const module of [...Object.keys(floors), ...modules]) {
    const loader = await startLoader({ module, directory, node });
    if (loader.facts.error) failures.push(`${loader.name}: ${loader.facts.error}`);
    else if (loader.facts.folders) results.push({ loader, module, facts: loader.facts, rounds: [] });
    if (loader.facts.error || !loader.facts.folders) loader.close();
  }
  const started = performance.now();
  let done = 0;
  while (done <= rounds && (done < 2 || performance.now() - started < seconds * 1000)) {
    for (const result of shuffled(results, random)) await takeTurn(result, done === 0);
    tell(`  round ${done} of ${rounds}: ${((performance.now() - started) / 1000).toFixed(0)} s`);
    done++;
  }
  for (const result of results) {
    if (!result.failure) result.yields = await attempt(result, () => result.loader.ask("found"));
    result.loader.close();
  }
  const whole = results.filter(({ failure }) => !failure);
  for (const result of whole) result.few = await withFewHandles(result.module, { directory, node });
  failures.push(...results.flatMap(({ loader, failure }) => (failure ? [`${loader.name}: ${failure}`] : [])));
  return { rounds: done - 1, results: whole, failures };
}

async function takeTurn(result, isFirst) {
  if (result.failure) return;
  const round = await attempt(result, () => result.loader.ask("round"));
  if (isFirst) result.first = round;
  else result.rounds.push(round);
}

async function attempt(result, work) {
  try {
    return await work();
  } catch (/** @type {any} */ error) {
    result.failure = error.message;
    return undefined;
  }
}

async function withFewHandles(module, { directory, node }) {
  const loader = await startLoader({ module, directory, node, handles: FEW_HANDLES });
  try {
    if (loader.facts.error) throw new Error(loader.facts.error);
    await loader.ask("round");
    return await loader.ask("found");
  } catch (/** @type {any} */ error) {
    return { error: error.message };
  } finally {
    tell(`  with ${FEW_HANDLES} handles: ${loader.name}`);
    loader.close();
  }
}

function shuffled(list, random) {
  const rest = [...list];
  return list.map(() => rest.splice(rest.indexOf(random.pick(rest)), 1)[0]);
}
