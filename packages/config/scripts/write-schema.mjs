/** Writes `skillwright.config.schema.json` anew from the built package; a test tells when that is due. */
import { writeFileSync } from "node:fs";
import { configurationJsonSchema } from "@skillwright/config";

const file = new URL("../skillwright.config.schema.json", import.meta.url);
writeFileSync(file, `${JSON.stringify(configurationJsonSchema(), undefined, 2)}\n`);
