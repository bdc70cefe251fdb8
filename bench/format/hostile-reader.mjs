/**
 * One reader against one hostile text, in its own process that the parent may have to kill: warms up on an ordinary
 * skill, then sends the time and the result of each call.
 */
import { pathToFileURL } from "node:url";
import { hostileCases } from "./hostile-cases.mjs";
import { probeSkill } from "./kept-fields.mjs";

const calls = 5;
const [module, index] = process.argv.slice(2);
const { default: reader } = await import(pathToFileURL(module).href);
for (let warmUp = 0; warmUp < 200; warmUp++) reader.text(probeSkill, "probe");
const content = hostileCases[index][1]();

process.send?.({ ready: true });
for (let call = 0; call < calls; call++) {
  const started = performance.now();
  const outcome = attempt();
  const milliseconds = performance.now() - started;
  await new Promise((resolve) => process.send?.({ milliseconds, outcome }, resolve));
}
process.disconnect();

function attempt() {
  try {
    const description = reader.description(reader.text(content, "x"));
    if (globalThis.ran) return "ran it as code";
    return description === undefined ? "refused" : "read";
  } catch {
    return "refused";
  }
}
