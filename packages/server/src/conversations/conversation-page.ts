import { SkillError } from "@skillwright/core";
import type { Conversation } from "./conversation.js";

export interface PageQuery {
  readonly limit: number;
  /** The `next` of the previous page. */
  readonly cursor?: string | undefined;
  /** Only conversations whose title or id contains this text are wanted, in upper or lower case. */
  readonly query?: string | undefined;
}

/**
 * Returns one page of the conversations, which must be sorted with `newestFirst`. `next` is the cursor of the next page, and is
 * missing on the last one. The next page starts after the last conversation of this page, even if that one was deleted.
 * @throws SkillError `INPUT_INVALID` for a text that is no cursor.
 */
export function conversationPage(
  all: readonly Conversation[],
  { limit, cursor, query = "" }: PageQuery,
): { readonly page: readonly Conversation[]; readonly next?: string } {
  const wanted = query.toLowerCase();
  const after = cursor === undefined ? undefined : placeOf(cursor);
  const rest = all.filter(
    (one) =>
      (after === undefined || newestFirst(after, one) < 0) &&
      `${one.title} ${one.id}`.toLowerCase().includes(wanted),
  );
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return last && rest.length > limit ? { page, next: cursorOf(last) } : { page };
}

type Place = Pick<Conversation, "id" | "updatedAt">;

/** Sorts the last changed conversation first, and by id those that changed at the same time. */
export function newestFirst(a: Place, b: Place): number {
  if (a.updatedAt !== b.updatedAt) return a.updatedAt < b.updatedAt ? 1 : -1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

function cursorOf({ updatedAt, id }: Place): string {
  return Buffer.from(`${updatedAt} ${id}`).toString("base64url");
}

function placeOf(cursor: string): Place {
  const text = Buffer.from(cursor, "base64url").toString();
  const [, updatedAt, id] = /^(\d{4}-\d\d-\d\dT[\d:.]+Z) ([A-Za-z0-9_-]+)$/.exec(text) ?? [];
  if (updatedAt !== undefined && id !== undefined) return { updatedAt, id };
  const message = `The cursor ${JSON.stringify(cursor)} is of no page. Take the address of the next page from the header Link.`;
  throw new SkillError("INPUT_INVALID", message);
}
