/** One listing in its own process, or the floor of it: prints the milliseconds. Arguments: `list` or `read`, and a directory. */
import { floors } from "../catalogue/floors.mjs";

const [what, directory] = process.argv.slice(2);
const { folders } =
  what === "list" ? (await import("../format/skillwright-list.mjs")).default : floors["one by one"];
const started = performance.now();
await folders(directory);
console.log(performance.now() - started);
process.exit();
