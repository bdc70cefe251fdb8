/**
 * Prints text as it arrives, in whole lines that begin with the name, so that concurrent output can be told apart.
 *
 * @param {string} name
 */
export function namedLines(name) {
  let begun = "";
  return (/** @type {string} */ text) => {
    const lines = (begun + text).split("\n");
    begun = lines.pop() ?? "";
    for (const line of lines) console.log(`${name} | ${line}`.trimEnd());
  };
}
