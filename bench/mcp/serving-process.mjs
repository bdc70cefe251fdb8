// Serves the skills of a folder to each client that connects to a socket. Tells its memory when it is asked.
import { createServer } from "node:net";
import { built } from "../built.mjs";

const [, , folder, socket] = process.argv;
const [{ skillServer }, { skillBox }, { fsRepository }, { SKILL_LIMITS }] = await Promise.all(
  ["mcp", "skillbox", "repository-fs", "core"].map(built),
);
// No option raises the limits of a skill, and one figure is about a larger file.
Object.assign(SKILL_LIMITS, { bytes: 128 * 1024 * 1024 });
const skills = skillBox({ own: fsRepository({ root: folder }) });
const server = skillServer({ skills });
let peak = 0;
setInterval(() => {
  peak = Math.max(peak, process.memoryUsage().rss);
}, 2).unref();
process.on("message", () => {
  process.send?.({ bytes: process.memoryUsage().rss, peak });
  peak = 0;
});
createServer((connection) => {
  connection.on("error", () => undefined);
  void server.serve({ input: connection, output: connection });
}).listen(socket, () => process.send?.("ready"));
