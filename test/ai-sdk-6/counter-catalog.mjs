import { createHash } from "node:crypto";
import { byteStream, manifestDigest, parseSkill, SkillError, skillManifest } from "@skillwright/core";

const files = {
  "SKILL.md": "---\nname: counter\ndescription: Counts words.\n---\nCount the words, then say the number.\n",
  "USAGE.md": "Words are separated by blanks.\n",
};

/** A catalogue of one skill that implements the port by hand, with core only. `usage` replaces its document. */
export function counterCatalog({ trusted = true, usage = () => files["USAGE.md"] } = {}) {
  const { skill } = parseSkill(files["SKILL.md"], { directoryName: "counter" });
  const { body, ...header } = skill;
  const now = () => ({ ...files, "USAGE.md": usage() });
  const manifestNow = () =>
    skillManifest(
      Object.entries(now()).map(([path, text]) => ({
        path,
        size: Buffer.byteLength(text),
        executable: false,
        sha256: createHash("sha256").update(text).digest("hex"),
      })),
    );
  const summaryNow = () => {
    const digest = manifestDigest(manifestNow());
    const found = { path: "counter", changeMark: digest, digest, diagnostics: [] };
    return { ...header, ...found, source: "own", trusted };
  };
  const close = async () => {};

  return {
    snapshot: async () => ({
      formatVersion: 1,
      fingerprint: summaryNow().digest,
      skills: [summaryNow()],
      broken: [],
      diagnostics: [],
    }),
    async load(name) {
      if (name !== "counter") throw new SkillError("SKILL_NOT_FOUND", `There is no skill "${name}".`);
      return { ...summaryNow(), body, manifest: manifestNow() };
    },
    open: async (_name, path) => byteStream(now()[path]),
    search: async () => [],
    subscribe: () => ({ close, [Symbol.asyncDispose]: close }),
    close,
    [Symbol.asyncDispose]: close,
  };
}
