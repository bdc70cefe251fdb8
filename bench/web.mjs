/**
 * What the web page costs in Chromium: its first paint beside that of an empty page, scrolling in a long conversation, much live output, and
 * the size of its scripts. Prints a Markdown table; a slow figure fails nothing.
 */
import { measuredFigures } from "./measured-figures.mjs";

const packages = ["web", "server", "runtime-local"];
const figures = {
  "first-paint": "first contentful paint of a new browser profile (must 1 s) beside an empty page",
  messages:
    "60 turns of the wheel in 2,000 messages (must: no task of 50 ms, few in the document) beside a page that only scrolls",
  output: "20 MB of live output (must: no task of 200 ms)",
  scripts: "JavaScript before a preview is opened, compressed (must 250 kB)",
};
await measuredFigures({ packages, figures, folder: "web" });
