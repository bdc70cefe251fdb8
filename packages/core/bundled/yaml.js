/** js-yaml as bundlers take it, by the condition `module` of the manifest's `imports`. Node takes `late-yaml.js`. */
import * as library from "js-yaml";

export const yaml = () => library;
