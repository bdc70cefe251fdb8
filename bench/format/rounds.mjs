import { tell } from "../../scripts/bootstrap/step.mjs";

/**
 * Asks every contestant the question in turn (A B C, A B C, ...), `warmUp` rounds that do not count and `rounds` that do,
 * so that load on the machine affects all of them. A contestant that fails is omitted from the rest.
 *
 * @returns for each contestant: `{ contestant, cold, rounds, failure }`; `cold` is the answer of its very first round
 */
export async function takeTurns(contestants, question, { warmUp, rounds }) {
  const results = contestants.map((contestant) => ({ contestant, cold: undefined, rounds: [] }));
  for (let round = 0; round < warmUp + rounds; round++) {
    for (const result of results) {
      if (result.failure) continue;
      const answer = await attempt(result, question);
      if (round === 0) result.cold = answer;
      if (round >= warmUp && answer) result.rounds.push(answer);
    }
    tell(`  ${question}: round ${round + 1} of ${warmUp + rounds}`);
  }
  return results;
}

async function attempt(result, question) {
  try {
    return await result.contestant.ask(question);
  } catch (/** @type {any} */ error) {
    result.failure = error.message;
    return undefined;
  }
}
