/**
 * Runs a shell command in a fresh clone of HEAD on a bare view of this machine (Debian, as root); see bare-machine.mjs.
 *
 *   node .ci/bare.mjs [root|newcomer] 'npm test'
 */
import { bareMachine } from "./bare/bare-machine.mjs";

const [user = "root", command = "npm test"] = process.argv.slice(2);
if (user !== "root" && user !== "newcomer") throw new Error(`There is no user ${user}: root or newcomer`);
const machine = await bareMachine();
try {
  await machine.run(command, { user });
} catch (error) {
  console.error(String(error.message).split("\n").slice(0, 2).join("\n"));
  process.exitCode = 1;
} finally {
  machine.remove();
}
