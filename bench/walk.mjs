/**
 * How many source files and functions of our packages one call goes through, as V8 counts the functions that it entered. Prints a Markdown
 * table; `--files` adds a list of the files with their functions. A large number fails nothing.
 */
import { measuredFigures } from "./measured-figures.mjs";

const packages = [
  "config",
  "records",
  "repository-fs",
  "runtime-local",
  "server",
  "skillbox",
  "tools",
  "workspace",
];
const figures = {
  run: "a `skill_run` in a workspace in which the skill is staged (must 100 files, 280 functions)",
  turn: "a turn of the server with one load and one run, until its stream ends (must 230 files, 650 functions)",
};
await measuredFigures({ packages, figures, folder: "walk" });
process.exit();
