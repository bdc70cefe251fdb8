import { skillMarkdown } from "@skillwright/contracts";

/** A skill of three files, one of them a script. */
export const SKILL = {
  "SKILL.md": skillMarkdown("pdf"),
  "scripts/read.sh": { content: "#!/bin/sh\necho read\n", executable: true },
  "data.txt": "first",
};
