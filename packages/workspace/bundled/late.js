/** Libraries as Node takes them: loaded with the first use, because importing them would take longer than the package itself. */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

export const globLibrary = () => require("minimatch");
export const mimeLibrary = () => require("mime-types");
export const tomlLibrary = () => require("smol-toml");
