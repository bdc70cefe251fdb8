/** Libraries as bundlers take them, by the condition `module` of the manifest's `imports`. Node takes `late.js`. */
import * as mime from "mime-types";
import * as minimatch from "minimatch";
import * as smolToml from "smol-toml";

export const globLibrary = () => minimatch;
export const mimeLibrary = () => mime;
export const tomlLibrary = () => smolToml;
