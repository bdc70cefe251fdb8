import { built } from "../built.mjs";
import { readEach } from "./read-each.mjs";

const { parseSkill } = await built("core");

/** Our packages, from the build, as a user has them. */
const text = (content, directoryName) => parseSkill(content, { directoryName });

export default {
  title: "parseSkill",
  diagnostics: "yes",
  text,
  folders: (directory) => readEach(directory, text),
  description: ({ skill }) => skill?.description,
};
