/** Prints how long reading 300 KB of each hostile filler takes, compared with plain words of the same size. Needs the build of core. */
import { cpus } from "node:os";
import { prepare } from "../../scripts/bootstrap/prepare.mjs";
import { largeTextReport } from "./large-text-report.mjs";

await prepare({ build: ["packages/core"] });
const { default: reader } = await import("./skillwright.mjs");
console.log(`Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus().length} cores.\n`);
console.log(largeTextReport((text) => reader.text(text, "x")));
