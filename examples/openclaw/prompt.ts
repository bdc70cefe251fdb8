import { openPlace, sourceClients, standardPlaces } from "@skillwright/config";
import { injector } from "@skillwright/injector";
import { skillBox } from "@skillwright/skillbox";
import { skillTools } from "@skillwright/tools";

const cwd = import.meta.dirname;
const places = await standardPlaces({ project: cwd, home: `${cwd}/home`, kinds: ["user"] });
const [managed] = places.filter(({ found }) => found);
if (!managed) throw new Error("There is no folder .openclaw/skills.");
console.log(managed.source, managed.trusted); // home ~/.openclaw/skills true

const skills = skillBox({ managed: await openPlace(managed, { cwd, clients: sourceClients({}) }) });
const snapshot = await skills.snapshot();
console.log(snapshot.skills.map(({ name, path }) => `${name} in ${path}`).join()); // code_reviewer in code_reviewer.md
console.log(snapshot.fingerprint === (await skills.snapshot()).fingerprint); // true
console.log(injector().enhanceSystemPrompt("You are helpful.", { snapshot }).includes("code_reviewer")); // true

const load = skillTools({ skills }).find(({ name }) => name === "skill_load");
const session = { app: "openclaw", user: "ada", session: "1" };
const result = await load?.execute({ skill: "code_reviewer" }, { session, state: {} });
console.log(String(result?.output).includes("Tools: read_file, list_dir")); // true
