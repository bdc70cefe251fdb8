/**
 * What the agent's server costs, each figure beside a bare floor in the same run: the first event of a turn beside a bare
 * Hono stream of the same events, runs of many conversations at once beside the bare sandbox, the memory of open
 * streams, resumptions, and five users beside one. Prints a Markdown table; nothing fails the run but a lost event.
 */
import { measuredFigures } from "./measured-figures.mjs";

const packages = ["config", "server", "agent", "runtime-local", "repository-memory", "skillbox"];
const figures = {
  first: "first event of a turn: server beside a bare Hono stream (must 3, aim 1.5)",
  many: "100 conversations with a 100 ms run at once: p95 beside the bare sandbox's, in a new server and in one that has served as many (must 2)",
  idle: "memory of an open idle stream (must 40 KiB), and CPU time while nothing happens",
  resume: "10,000 resumptions: lost events (must 0)",
  turns: "a turn after 1,000 turns of its conversation beside one after 10 (must 1.3)",
  pages: "the first page of 100,000 conversations of a user beside that of 100 (must 3)",
  users: "five users with a one-second run each, beside one alone (must 1.5)",
};
await measuredFigures({ packages, figures, folder: "server" });
process.exit();
