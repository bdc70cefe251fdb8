/** minimatch as Node takes it: loaded with the first pattern, because most skills have none. */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

export const globLibrary = () => require("minimatch");
