import matter from "gray-matter";
import { readEach } from "../format/read-each.mjs";

/** With its defaults. The options object, though empty, disables its cache of results. */
const text = (content) => matter(content, {});

export default {
  package: "gray-matter",
  diagnostics: "thrown",
  text,
  folders: (directory) => readEach(directory, text),
  isLoop: true, // Finding folders is ours: no loader that somebody keeps.
  description: ({ data }) => data.description,
};
