import type { Readable } from "node:stream";
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import { type ByteStream, SkillError } from "@skillwright/core";
import { limitedBody } from "./limited-body.js";

/** Files of one request. */
const MAX_FILES = 100;

/**
 * Passes the files of a `multipart/form-data` body on, one after the other and as their bytes arrive, and returns what
 * `take` made of them. When the body fails, the file that is being read fails with the same error.
 * @throws SkillError `LIMIT_EXCEEDED` as `limitedBody` does for the whole body, and above 100 files; `INPUT_INVALID` for a
 * body of another type, that is cut off, that has no file, and that has text fields.
 */
export async function multipartFiles<T>(
  request: Request,
  limit: number,
  take: (name: string, content: ByteStream) => Promise<T>,
): Promise<readonly T[]> {
  const body = limitedBody(request, limit);
  const parser = parserOf(request.headers.get("content-type") ?? "");
  const taken: T[] = [];
  let failure: { readonly error: unknown } | undefined;
  let stop = (_error: unknown): void => undefined;
  let current: Readable | undefined;
  let last: Promise<void> = Promise.resolve();

  function fail(error: unknown): void {
    failure ??= { error };
    current?.destroy(failure.error as Error);
    stop(failure.error);
  }
  /** A parser whose file nobody reads any more does not go on. */
  function orFailed(begin: (done: () => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      stop = reject;
      if (failure) reject(failure.error);
      else begin(resolve);
    });
  }

  parser.on("file", (_field: string, file: Readable, name: string | undefined) => {
    current = file;
    file.on("error", (error: Error) => fail(unreadable(error)));
    last = last.then(async () => void taken.push(await take(named(name), file)));
    last.catch(fail);
  });
  parser.on("field", (field: string) => fail(noFile(field)));
  parser.on("filesLimit", () => fail(tooMany()));
  parser.on("error", (error: Error) => fail(unreadable(error)));
  try {
    for await (const piece of body) await orFailed((done) => parser.write(piece, done));
    await orFailed((done) => parser.once("finish", done).end());
    await last;
    if (failure) throw failure.error;
  } catch (error) {
    fail(error);
    // What was stored of the file is removed before the answer.
    await last.catch(() => undefined);
    throw failure?.error;
  }
  if (taken.length === 0) throw invalid("The body has no file. Send at least one part with a filename.");
  return taken;
}

function parserOf(contentType: string): BusboyInstance {
  if (!/^multipart\/form-data *;/i.test(contentType))
    throw invalid(
      `The body has the type ${JSON.stringify(contentType)}. Send multipart/form-data with its boundary, as a form does by itself.`,
    );
  try {
    return new Busboy({ headers: { "content-type": contentType }, limits: { files: MAX_FILES } });
  } catch (error) {
    throw unreadable(error as Error);
  }
}

function named(name: string | undefined): string {
  if (name && name.length <= 255) return name;
  throw invalid("A file of the body has no name, or one of more than 255 characters. Give it a filename.");
}

function noFile(field: string): SkillError {
  return invalid(`The field ${JSON.stringify(field)} of the body is no file. Send files only.`);
}

function unreadable(error: Error): SkillError {
  return invalid(`The body cannot be read: ${error.message}. Send multipart/form-data as RFC 7578 has it.`);
}

function invalid(message: string): SkillError {
  return new SkillError("INPUT_INVALID", message);
}

function tooMany(): SkillError {
  const message = `A request may have at most ${MAX_FILES} files. Send the others in further requests.`;
  return new SkillError("LIMIT_EXCEEDED", message, { details: { limit: MAX_FILES } });
}
