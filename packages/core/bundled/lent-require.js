/**
 * Lends the modules that are evaluated before `takeBack` a global `require` of Node's own modules, where there is none:
 * in an ES module made by esbuild, gray-matter's `require("fs")` is left as it was written.
 */
const lent = globalThis.require === undefined;
if (lent) globalThis.require = (name) => process.getBuiltinModule(name);

export function takeBack() {
  if (lent) delete globalThis.require;
}
