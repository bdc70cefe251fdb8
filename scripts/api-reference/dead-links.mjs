import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

/**
 * The links between the pages below a directory that lead to no file, or to no heading of a page, each once.
 *
 * @param {string} directory
 */
export function deadLinks(directory) {
  const pages = readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".html"))
    .map((name) => ({ name, text: readFileSync(`${directory}/${name}`, "utf8") }));
  const headings = new Map(
    pages.map(({ name, text }) => [resolve(directory, name), new Set(values(text, "id"))]),
  );
  const links = pages.flatMap(({ name, text }) =>
    values(text, "href").map((link) => ({ page: resolve(directory, name), link, from: name })),
  );
  const dead = links.filter(
    ({ page, link }) => !/^[a-z]+:/.test(link) && !leadsSomewhere(page, link, headings),
  );
  return [...new Set(dead.map(({ from, link }) => `${from}: ${link}`))];
}

function leadsSomewhere(page, link, headings) {
  const [path = "", heading = ""] = link.split("#");
  const target = path === "" ? page : resolve(page, "..", decodeURI(path));
  const known = headings.get(target);
  if (!known) return existsSync(target);
  return heading === "" || known.has(decodeURIComponent(heading));
}

function values(text, attribute) {
  return [...text.matchAll(new RegExp(`\\s${attribute}="([^"]*)"`, "g"))].map(([, value]) => value);
}
