import { root } from "../scripts/bootstrap/root.mjs";

/**
 * Imports a built entry of one of our packages, as its users do.
 *
 * @param {string} name its directory, such as `core`, and an entry besides the main one, such as `core/adapter`
 * @returns {Promise<any>}
 */
export function built(name) {
  const [directory, entry = "index"] = name.split("/");
  return import(`${root}/packages/${directory}/dist/${entry}.js`);
}
