/**
 * Works on the proposals in `<root>/records` over the skills in `<root>/skills`, with the built packages:
 * `propose` stores a change and waits to be killed; `decide <id> <digest>` applies one when a line arrives.
 */
import { once } from "node:events";
import { fsRecords, fsRepository } from "@skillwright/repository-fs";
import { skillBox } from "@skillwright/skillbox";
import { skillProposals } from "@skillwright/tools";

const [what, root, id = "", digest = ""] = process.argv.slice(2);
const skills = skillBox({ project: fsRepository({ root: `${root}/skills` }) });
const proposals = skillProposals(skills, {
  records: fsRecords({ root: `${root}/records` }),
});

const actions = {
  propose: async () => {
    const put = [{ path: "references/notes.md", content: "Notes." }];
    await proposals.propose({ action: "update", repository: "project", name: "own", put });
    console.log("waits");
    setInterval(() => undefined, 60_000);
  },
  decide: async () => {
    console.log("ready");
    await once(process.stdin, "data");
    const outcome = await proposals.apply(id, { digest }).then(
      () => "applied",
      ({ code }) => code,
    );
    console.log(outcome);
    process.stdin.destroy();
  },
};

await actions[what]();
