/** gray-matter as Node takes it: loaded with the first header that needs it, because most do not. */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

export default (text, options) => require("gray-matter")(text, options);
