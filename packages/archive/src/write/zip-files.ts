import { Readable } from "node:stream";
import { type ByteStream, containedPath } from "@skillwright/core";
import { ZipFile } from "yazl";

/** A file of an archive that is written while it is read. */
export interface ZippedFile {
  /** Relative, `/` between parts. */
  readonly path: string;
  /** Called when the file's turn has come. */
  readonly open: () => Promise<ByteStream>;
}

/**
 * Packs any files into a zip archive, one after the other, in constant memory; large archives are ZIP64. For skills use
 * `writeArchive`, which checks them. Errors of `open` and of the contents end the stream.
 * @throws SkillError `PATH_OUTSIDE`, `PATH_INVALID` for a path.
 */
export async function* zipFiles(files: Iterable<ZippedFile>): ByteStream {
  const zip = new ZipFile();
  const output = zip.outputStream as NodeJS.ReadableStream & { destroy(error?: Error): void };
  let reading: Readable | undefined;
  zip.on("error", (error: Error) => output.destroy(error));
  for (const { path, open } of files)
    zip.addReadStreamLazy(containedPath(path), {}, (give) => {
      open().then(
        (content) => {
          reading = Readable.from(content);
          // The library does not pass on the errors of contents.
          reading.on("error", (error) => output.destroy(error));
          give(null, reading);
        },
        (error: Error) => output.destroy(error),
      );
    });
  zip.end();
  try {
    for await (const piece of output) yield piece as Buffer;
  } finally {
    reading?.destroy();
  }
}
