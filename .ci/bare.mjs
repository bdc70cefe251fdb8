/**
 * Runs a shell command in a fresh clone of HEAD on a minimal view of this machine (Debian, as root); see bare-machine.mjs.
 *
 *   node .ci/bare.mjs [root|newcomer|odd] 'npm test'
 */
import { bareMachine } from "./bare/bare-machine.mjs";

const [who = "root", command = "npm test"] = process.argv.slice(2);
if (!["root", "newcomer", "odd"].includes(who)) throw new Error(`There is no ${who}: root, newcomer or odd`);
const machine = await bareMachine();
try {
  await machine.run(command, { user: who === "root" ? "root" : "newcomer", isOdd: who === "odd" });
} catch (error) {
  console.error(String(error.message).split("\n").slice(0, 2).join("\n"));
  process.exitCode = 1;
} finally {
  machine.remove();
}
