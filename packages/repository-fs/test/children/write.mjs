/** Does one thing with the built package, as another process would: `write.mjs <what> <root> [text] [times]`. */
import "./count-down.mjs";
import { createHash } from "node:crypto";

const { fsArtifacts, fsContentStore, fsRepository } = await import("@skillwright/repository-fs");
const [what, root, text = "", times = "1"] = process.argv.slice(2);
const scope = { app: "test", user: "ada", session: "one" };

const actions = {
  upload: async () => {
    const skillFile = `---\nname: demo\ndescription: Says ${text}.\n---\n${text}\n`;
    const files = ["a.txt", "folder/b.txt", `only-${text}.txt`].map((path) => ({ path, content: text }));
    await fsRepository({ root }).upload([{ path: "SKILL.md", content: skillFile }, ...files]);
  },
  delete: async () => void (await fsRepository({ root }).delete("demo")),
  save: async (index) => void (await fsArtifacts({ root }).save(scope, "reports/a.md", `${text} ${index}`)),
  materialize: async () => {
    const contents = { "SKILL.md": text, "folder/run.sh": text, "empty.txt": "" };
    const files = Object.entries(contents).map(([path, content]) => ({
      path,
      size: content.length,
      executable: path.endsWith(".sh"),
      sha256: createHash("sha256").update(content).digest("hex"),
    }));
    const open = async (path) => [Buffer.from(contents[path])];
    await fsContentStore({ root }).materialize({ formatVersion: 1, files }, open, {
      owner: `owner-${process.pid}`,
    });
  },
};

for (let index = 0; index < Number(times); index++) await actions[what](index);
