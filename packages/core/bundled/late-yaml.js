/** js-yaml as Node takes it: loaded with the first header that needs it, because `plainHeader` reads most. */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
let library;

export const yaml = () => (library ??= require("js-yaml"));
