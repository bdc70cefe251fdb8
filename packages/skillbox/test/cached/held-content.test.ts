import { type ContentStore, manifestDigest } from "@skillwright/core";
import { expect, test } from "vitest";
import { heldContent } from "../../src/cached/held-content.js";

const NOTHING = { formatVersion: 1, files: [] } as const;

test("leased content is created again only for another alias of it", async () => {
  const made: (string | undefined)[] = [];
  const materialize: ContentStore["materialize"] = async (_manifest, _open, { alias }) => {
    made.push(alias);
    return { digest: manifestDigest(NOTHING), release: async () => undefined } as unknown as Awaited<
      ReturnType<ContentStore["materialize"]>
    >;
  };
  const held = heldContent({ content: { materialize } as ContentStore, owner: "o", skills: 4, bytes: 1000 });
  const open = () => Promise.reject(new Error("not asked"));
  for (const alias of [undefined, undefined, "one", "two"]) await held.make(NOTHING, open, { alias });
  expect(made).toEqual([undefined, "one", "two"]);
});
