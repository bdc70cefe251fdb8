/** minimatch as bundlers take it, by the condition `module` of the manifest's `imports`. Node takes `late-glob.js`. */
import * as minimatch from "minimatch";

export const globLibrary = () => minimatch;
