import { type CallOptions, SkillError } from "@skillwright/core";
import type { StoredConversation, storedConversations } from "./stored-conversations.js";

export interface PageQuery {
  readonly limit: number;
  /** The `next` of the previous page. */
  readonly cursor?: string | undefined;
  /** Only conversations whose title or id contains this text are wanted, in upper or lower case. */
  readonly query?: string | undefined;
}

/** Number of conversations that a search reads in one call of the store. */
const SEARCHED = 1000;

/**
 * Returns one page of a user's conversations, the last changed ones first. `next` is the cursor of the next page, and is missing on
 * the last one. The next page begins after the last conversation of this page, even if that one was deleted.
 * @throws SkillError `INPUT_INVALID` for a text that is no cursor.
 */
export async function conversationPage(
  { page }: Pick<ReturnType<typeof storedConversations>, "page">,
  user: string,
  { limit, cursor, query = "" }: PageQuery,
  { signal }: CallOptions = {},
): Promise<{ readonly page: readonly StoredConversation[]; readonly next: string | undefined }> {
  const wanted = query.toLowerCase();
  const isWanted = ({ isBeingDeleted, title, id }: StoredConversation) =>
    !isBeingDeleted && `${title} ${id}`.toLowerCase().includes(wanted);
  const found: StoredConversation[] = [];
  for (let after = cursor; ; ) {
    const asked = { after, limit: wanted === "" ? limit - found.length : SEARCHED, signal };
    const { conversations, next } = await page(user, asked).catch((error: unknown) => {
      throw after !== undefined && after === cursor && SkillError.is(error, "INPUT_INVALID")
        ? noCursor()
        : error;
    });
    for (const [index, one] of conversations.entries()) {
      if (!isWanted(one)) continue;
      // This one belongs to the next page, which begins where a shorter page of the store ends.
      if (found.length === limit)
        return { page: found, next: (await page(user, { ...asked, limit: index })).next };
      found.push(one);
    }
    if (next === undefined || (wanted === "" && found.length === limit)) return { page: found, next };
    after = next;
  }
}

function noCursor(): SkillError {
  return new SkillError(
    "INPUT_INVALID",
    "The cursor must be the `next` of an earlier page, unchanged. Leave it out for the first page.",
  );
}
