import { parse } from "yaml";
import { readEach } from "../format/read-each.mjs";

const pattern = /^\ufeff?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

/** The ten lines that a careful user writes around the parser. */
function text(content) {
  const match = pattern.exec(content);
  if (!match) throw new Error("no frontmatter");
  const data = parse(match[1]);
  if (typeof data?.description !== "string") throw new Error("no description");
  return { data, body: content.slice(match[0].length).trim() };
}

export default {
  package: "yaml",
  call: "own split",
  diagnostics: "thrown",
  text,
  folders: (directory) => readEach(directory, text),
  isLoop: true, // Finding folders is ours: no loader that somebody keeps.
  description: ({ data }) => data.description,
};
