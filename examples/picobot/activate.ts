import { openPlace, sourceClients, standardPlaces } from "@skillwright/config";
import { injector } from "@skillwright/injector";
import { skillBox } from "@skillwright/skillbox";
import { skillTools } from "@skillwright/tools";

const cwd = import.meta.dirname;
const places = await standardPlaces({ project: cwd, kinds: ["project"] });
const found = places.filter((place) => place.found);
console.log(found.map(({ source, trusted }) => `${source} ${trusted}`).join()); // project .picobot/skills false

const clients = sourceClients({});
const sources = found.map(async (place) => [place.source, await openPlace(place, { cwd, clients })] as const);
const skills = skillBox(Object.fromEntries(await Promise.all(sources)));
const snapshot = await skills.snapshot();
console.log(snapshot.skills.map(({ name }) => name).join()); // rust-summary
console.log(snapshot.broken.map(({ path }) => path).join()); // unfinished

const tools = skillTools({ skills, preset: "activate" });
const overview = injector({ tools: tools.map(({ name }) => name) });
const system = overview.enhanceSystemPrompt("You are PicoBot.", { snapshot });
console.log(system.includes("<name>rust-summary</name>")); // true

const activate = tools.find(({ name }) => name === "skill_activate");
const session = { app: "picobot", user: "ada", session: "1" };
const result = await activate?.execute({ name: "rust-summary" }, { session, state: {} });
console.log(String(result?.output).includes("Start with src/lib.rs.")); // true
