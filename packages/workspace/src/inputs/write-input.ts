import type { CallOptions, RuntimeWorkspace } from "@skillwright/core";
import type { FileEntry } from "@skillwright/core/adapter";
import type { InputBudget } from "./input-budget.js";
import type { InputFile, InputTree } from "./input-tree.js";

/** Writes the files to the target, with one open at a time. Each replaces an existing file atomically. */
export async function writeInput(
  target: string,
  { files }: InputTree,
  budget: InputBudget,
  { workspace, signal }: CallOptions & { workspace: RuntimeWorkspace },
): Promise<void> {
  async function* entries(): AsyncIterable<FileEntry> {
    for (const file of files)
      yield {
        path: file.path === "" ? target : `${target}/${file.path}`,
        executable: file.executable ?? false,
        content: content(file),
      };
  }

  async function* content(file: InputFile) {
    const opened = await file.open();
    try {
      yield* budget.counted(opened.content);
    } finally {
      await opened.close?.();
    }
  }

  await workspace.put(entries(), { signal });
}
