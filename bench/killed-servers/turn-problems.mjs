import { STEPS } from "./model-server.mjs";

/**
 * Returns what is wrong with a turn that has ended: commands that did not run once, events that the client lacks, a history
 * without the answer. `lines` is what the commands wrote; `read` asks a server for a path and returns the text.
 */
export async function turnProblems({ name, events, lines, read }) {
  const due = Array.from({ length: STEPS - 1 }, (_, index) => `${name}-${index + 1}`);
  const problems = [
    String(lines) !== String(due) && `the commands ran as ${lines}`,
    events.at(-1)?.finishReason !== "stop" && `the stream ended with ${JSON.stringify(events.at(-1))}`,
    ...due.map((line) => !events.some(answered(line)) && `no answer has the output of ${line}`),
    events.filter(({ type }) => type === "data-artifact").length === 0 && "no file was saved",
  ];
  const whole = await read(`/conversations/${name}/turns/${events[0]?.messageId}/stream`);
  const told = [...whole.matchAll(/^data: (\{.*\})$/gm)].map(([, data]) => data);
  if (String(told) !== String(events.map((event) => JSON.stringify(event))))
    problems.push(`the client has ${events.length} events and the turn ${told.length}`);
  const history = JSON.parse(await read(`/conversations/${name}/messages`));
  if (history.length !== 2 || !JSON.stringify(history).includes(`step ${STEPS}`))
    problems.push(`the history has ${history.length} messages`);
  return problems.filter((problem) => problem !== false);
}

/** @throws where there are problems, with all events. */
export function unlessNone(name, problems, events) {
  if (problems.length === 0) return;
  const shown = events.map((event) => JSON.stringify(event)).join("\n");
  throw new Error(`${name}: ${problems.join("; ")}\n${shown}`);
}

function answered(line) {
  return ({ type, output }) =>
    type === "tool-output-available" && output.stdout === `begun ${line}\nended ${line}\n`;
}
