import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { type Diagnostic, readBytes, SKILL_LIMITS, SkillError } from "@skillwright/core";

/** Reads the bytes of a SKILL.md, also through a link; otherwise returns the reason for the failure. */
export async function readSkillFile(
  path: string,
): Promise<{ readonly content: Uint8Array } | { readonly finding: Diagnostic }> {
  try {
    // Without O_NONBLOCK, opening a pipe would wait for a writer.
    await using handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if (!(await handle.stat()).isFile()) return { finding: unreadable("it is not a regular file") };
    const stream = handle.createReadStream({ autoClose: false });
    return { content: await readBytes(stream, SKILL_LIMITS.skillFileBytes) };
  } catch (error) {
    if (SkillError.is(error, "LIMIT_EXCEEDED")) return { finding: TOO_LARGE };
    return { finding: unreadable(error instanceof Error ? error.message : String(error)) };
  }
}

function unreadable(reason: string): Diagnostic {
  return {
    code: "file.unreadable",
    severity: "error",
    message: `The file cannot be read: ${reason}.`,
    hint: "Check its type and permissions.",
    path: "SKILL.md",
  };
}

const TOO_LARGE: Diagnostic = {
  code: "file.too-large",
  severity: "error",
  message: "The file is larger than 1 MiB.",
  hint: "Move parts of it into files in references/.",
  path: "SKILL.md",
};
