/** gray-matter as bundlers take it, by the condition `module` of the manifest's `imports`. Node takes `late-gray-matter.js`. */
// biome-ignore assist/source/organizeImports: gray-matter is evaluated second
import { takeBack } from "./lent-require.js";
import matter from "gray-matter";

takeBack();
export default matter;
