/** Performs one operation with the built package, as another process would: `write.mjs <what> <root> [text] [times]`. */
import "./count-down.mjs";
import { createHash } from "node:crypto";
import { appendFileSync } from "node:fs";

const { fsArtifacts, fsContentStore, fsRecords, fsRepository } = await import("@skillwright/repository-fs");
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
  /** Replaces the record that `killed-records.test.ts` has written. */
  record: async () => {
    const append = { kept: ["new", "ä"], dropped: ["new"], added: ["new"] };
    const change = { value: "new", holder: "h", drop: ["dropped", "gone"], append };
    await fsRecords({ root }).write(["records", "one"], change);
  },
  forget: async () => void (await fsRecords({ root }).delete(["records", "one"])),
  log: async (index) => {
    const entry = { log: "kept", holder: "h", entries: [`${text} ${index}`, "more"] };
    await fsRecords({ root }).append(["records", "one"], entry);
  },
  /** Creates a record that no other process may have meanwhile, and deletes it. */
  turn: async (index) => {
    const records = fsRecords({ root });
    const key = ["records", "one"];
    const mine = { from: null, value: text, holder: text };
    let revision = await records.write(key, mine);
    while (revision === undefined) {
      await new Promise(setImmediate);
      revision = await records.write(key, mine);
    }
    appendFileSync(`${root}.log`, `begin ${text} ${index}\n`);
    await records.append(key, { log: "kept", holder: text, entries: [index] });
    const entries = await records.read(key, "kept", { from: 0, limit: 10 });
    appendFileSync(`${root}.log`, `end ${text} ${entries}\n`);
    await records.delete(key, { from: revision });
  },
  /** The directory of the files according to a reader. */
  copy: async () => {
    const repository = fsRepository({ root: text });
    const { manifest } = await repository.load("demo");
    const open = await repository.reader("demo");
    await fsContentStore({ root }).materialize(manifest, open, { owner: `owner-${process.pid}` });
  },
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
