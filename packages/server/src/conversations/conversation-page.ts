import { SkillError } from "@skillwright/core";
import type { Conversation } from "./conversation.js";

export interface PageQuery {
  readonly limit: number;
  /** `next` of the page before. */
  readonly cursor?: string | undefined;
  /** Text that title or id contain, whatever its case. */
  readonly query?: string | undefined;
}

/**
 * Takes one page of the conversations, which are sorted as `newestFirst` has it. `next` is missing on the last page. The
 * next page begins behind the last conversation of this one, also where that one was deleted.
 * @throws SkillError `INPUT_INVALID` for a cursor that is none.
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

/** Compares by the newest change, and by id where both changed at the same time. */
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
