import { mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { byteStream, type UploadFile } from "@skillwright/core";

/** Writes the files below a folder that is created for them; none may exist already. */
export async function writeFiles(folder: string, files: AsyncIterable<UploadFile>): Promise<void> {
  await mkdir(folder, { mode: 0o755 });
  for await (const { path, content, executable } of files) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o755 });
    const file = await open(target, "wx", executable ? 0o755 : 0o644);
    try {
      for await (const piece of byteStream(content)) await file.writeFile(piece);
    } finally {
      await file.close();
    }
  }
}
