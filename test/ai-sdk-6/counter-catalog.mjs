import { createHash } from "node:crypto";
import { byteStream, manifestDigest, parseSkill, SkillError, skillManifest } from "@skillwright/core";

const files = {
  "SKILL.md": "---\nname: counter\ndescription: Counts words.\n---\nCount the words, then say the number.\n",
  "USAGE.md": "Words are separated by blanks.\n",
};

/** A catalogue of one skill that implements the port by hand, with core only. */
export function counterCatalog() {
  const { skill } = parseSkill(files["SKILL.md"], { directoryName: "counter" });
  const manifest = skillManifest(
    Object.entries(files).map(([path, text]) => ({
      path,
      size: Buffer.byteLength(text),
      executable: false,
      sha256: createHash("sha256").update(text).digest("hex"),
    })),
  );
  const digest = manifestDigest(manifest);
  const { body, ...header } = skill;
  const summary = {
    ...header,
    path: "counter",
    changeMark: digest,
    digest,
    diagnostics: [],
    source: "own",
    trusted: true,
  };
  const close = async () => {};

  return {
    snapshot: async () => ({
      formatVersion: 1,
      fingerprint: digest,
      skills: [summary],
      broken: [],
      diagnostics: [],
    }),
    async load(name) {
      if (name !== "counter") throw new SkillError("SKILL_NOT_FOUND", `There is no skill "${name}".`);
      return { ...summary, body, manifest };
    },
    open: async (_name, path) => byteStream(files[path]),
    search: async () => [],
    subscribe: () => ({ close, [Symbol.asyncDispose]: close }),
    close,
    [Symbol.asyncDispose]: close,
  };
}
