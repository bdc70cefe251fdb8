import { createHash, randomBytes } from "node:crypto";
import { posix } from "node:path";
import { type ByteStream, type CallOptions, containedPath, SkillError } from "@skillwright/core";
import { abortable, checkAborted, type FileEntry, type FileStat } from "@skillwright/core/adapter";
import { fileError } from "./file-error.js";
import { type FileSession, sendFile } from "./file-session.js";
import type { FileSessions } from "./file-sessions.js";
import { readablePath, WRITABLE_ROOTS, writablePath } from "./layout-path.js";
import { inOrder, listedFiles } from "./listed-files.js";

export interface WorkspaceFiles {
  put(files: Iterable<FileEntry> | AsyncIterable<FileEntry>, options: CallOptions): Promise<void>;
  get(path: string, options: CallOptions): Promise<ByteStream>;
  list(path: string | undefined, options: CallOptions): Promise<readonly FileStat[]>;
  link(path: string, to: string, options: CallOptions): Promise<void>;
  remove(path: string, options: CallOptions): Promise<boolean>;
}

export function workspaceFiles(sessions: FileSessions): WorkspaceFiles {
  /** Everything arrives aside first, so that a source or a path that fails changes nothing. */
  async function put(
    files: Iterable<FileEntry> | AsyncIterable<FileEntry>,
    options: CallOptions,
  ): Promise<void> {
    await aside(sessions, options, async (session, token) => {
      const paths: string[] = [];
      for await (const { path, ...file } of abortable(files, options.signal)) {
        writablePath(path);
        await sendFile(session, token, `${paths.length}`, file, options);
        await session.answer().catch((error: unknown) => {
          throw fileError(error, path, "Writing");
        });
        paths.push(path);
      }
      for (const [index, path] of paths.entries())
        await session.ask("M", token, `${index}`, path).catch((error: unknown) => {
          throw fileError(error, path, "Writing");
        });
    });
  }

  async function get(path: string, options: CallOptions): Promise<ByteStream> {
    readablePath(path);
    const session = await sessions.take(options);
    try {
      await session.ask("G", path);
    } catch (error) {
      const meaning = fileError(error, path, "Reading");
      if (meaning === error) session.close();
      else sessions.giveBack(session);
      throw meaning;
    }
    return abortable(contentOf(session, path), options.signal);
  }

  async function* contentOf(session: FileSession, path: string): ByteStream {
    const digest = createHash("sha256");
    let isWhole = false;
    try {
      for (;;) {
        const { kind, bytes } = await session.answer();
        if (kind === "e") {
          isWhole = true;
          if (bytes.toString("latin1") !== digest.digest("hex")) throw otherBytes(path);
          return;
        }
        digest.update(bytes);
        yield new Uint8Array(bytes);
      }
    } catch (error) {
      throw fileError(error, path, "Reading");
    } finally {
      if (isWhole) sessions.giveBack(session);
      else session.close();
    }
  }

  async function list(path: string | undefined, options: CallOptions): Promise<readonly FileStat[]> {
    const wanted = path === undefined ? WRITABLE_ROOTS : [readablePath(path)];
    return await sessions.use(async (session) => {
      const all = [];
      for (const directory of wanted) {
        try {
          all.push(...(await listedFiles(session, directory, options)));
        } catch (error) {
          throw fileError(error, directory, "Listing");
        }
      }
      return inOrder(all);
    }, options);
  }

  async function link(path: string, to: string, options: CallOptions): Promise<void> {
    writablePath(path);
    const target = posix.relative(posix.dirname(path), readablePath(containedPath(to)));
    await sessions.use(async (session) => {
      await session.ask("K", path, target).catch((error: unknown) => {
        throw fileError(error, path, "Linking");
      });
    }, options);
  }

  async function remove(path: string, options: CallOptions): Promise<boolean> {
    writablePath(path);
    return await sessions.use(async (session) => {
      try {
        await session.ask("R", path);
        return true;
      } catch (error) {
        const meaning = fileError(error, path, "Removing");
        if (SkillError.is(meaning, "FILE_NOT_FOUND")) return false;
        throw meaning;
      }
    }, options);
  }

  return { put, get, list, link, remove };
}

/** Work in a directory that no command sees, which is removed afterwards. @param last Done while it is removed. */
export async function aside(
  sessions: FileSessions,
  options: CallOptions,
  work: (session: FileSession, token: string) => Promise<void>,
  last: () => Promise<void> = async () => undefined,
): Promise<void> {
  checkAborted(options.signal);
  const token = randomBytes(16).toString("hex");
  const session = await sessions.take(options);
  let done = false;
  try {
    await session.ask("N", token);
    await work(session, token);
    await Promise.all([session.ask("U", token), last()]);
    done = true;
  } catch (error) {
    throw fileError(error, "", "Writing");
  } finally {
    if (done) sessions.giveBack(session);
    else {
      session.close();
      // What arrived of it uses the workspace's storage.
      await sessions.use(async (other) => void (await other.ask("U", token)), {}).catch(() => undefined);
    }
  }
}

function otherBytes(path: string): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    `Reading ${JSON.stringify(path)} failed: other bytes arrived than were sent. Try again.`,
    { details: { path } },
  );
}
