import { type ByteSource, type ByteStream, type CallOptions, SkillError } from "@skillwright/core";
import { pack } from "tar-stream";
import { sizedContent } from "./sized-content.js";
import { type Spool, spool } from "./spool.js";

const MAX_WAITING_BYTES = 1024 * 1024;

export interface ArchiveOwner {
  readonly uid: number;
  readonly gid: number;
}

export const ROOT_OWNER: ArchiveOwner = { uid: 0, gid: 0 };

interface FileHeader extends ArchiveOwner {
  readonly name: string;
  readonly mode: number;
  readonly mtime: Date;
}

/**
 * Writes a tar archive that is kept on this machine until it is complete, so that a failing source has changed nothing
 * yet.
 */
export interface ArchiveWriter extends AsyncDisposable {
  directory(path: string, owner: ArchiveOwner, mode: number): void;
  file(path: string, content: ByteSource, owner: ArchiveOwner, mode: number, modified?: Date): Promise<void>;
  link(path: string, target: string, owner: ArchiveOwner): void;
  /** Returns the complete archive; nothing can be added any more. */
  end(): Promise<Spool>;
}

/** The archive contains only directories, regular files and links that the caller adds. Disposing frees the archive. */
export function archiveWriter({ signal }: CallOptions = {}): ArchiveWriter {
  const archive = pack();
  const whole = spool();
  const writing = (async () => {
    for await (const piece of archive as AsyncIterable<Uint8Array>) await whole.append(piece);
  })();
  // Its failure is thrown by `end`.
  writing.catch(() => undefined);

  let waitingBytes = 0;

  async function file(
    path: string,
    content: ByteSource,
    owner: ArchiveOwner,
    mode: number,
    modified = new Date(),
  ): Promise<void> {
    const header = { name: path, mode, mtime: modified, ...owner };
    if (typeof content === "string" || content instanceof Uint8Array) return await small(header, content);
    await using sized = await sizedContent(content, { signal });
    if (sized.bytes) await small(header, sized.bytes);
    else await large({ ...header, size: sized.size }, sized.stream());
  }

  /** Awaited only from time to time: it takes several turns of the event loop, and there are many small files. */
  async function small(header: FileHeader, content: string | Uint8Array): Promise<void> {
    const bytes = typeof content === "string" ? Buffer.from(content) : asBuffer(content);
    waitingBytes += bytes.byteLength;
    const written = new Promise<void>((resolve) => {
      archive.entry(header, bytes, () => resolve());
    });
    if (waitingBytes < MAX_WAITING_BYTES) return;
    await written;
    waitingBytes = 0;
  }

  async function large(header: FileHeader & { readonly size: number }, content: ByteStream): Promise<void> {
    const entry = archive.entry(header);
    // The archive reports the same error.
    entry.on("error", () => undefined);
    const closed = new Promise<void>((resolve) => entry.once("close", resolve));
    for await (const piece of content)
      if (!entry.write(piece))
        await Promise.race([closed, new Promise<void>((resolve) => entry.once("drain", resolve))]);
    entry.end(undefined);
    await closed;
  }

  async function end(): Promise<Spool> {
    archive.finalize();
    try {
      await writing;
    } catch (error) {
      throw SkillError.from(error, "Packing files");
    }
    return whole;
  }

  return {
    directory: (path, owner, mode) =>
      void archive.entry({ name: `${path}/`, type: "directory", mode, ...owner }),
    file,
    link: (path, target, owner) =>
      void archive.entry({ name: path, type: "symlink", linkname: target, ...owner }),
    end,
    async [Symbol.asyncDispose]() {
      archive.destroy();
      // A caller that did not come to `end` has another failure.
      await writing.catch(() => undefined);
      await whole[Symbol.asyncDispose]();
    },
  };
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
