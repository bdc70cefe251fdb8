import { runSkill } from "./app.mjs";

// No await at the top: a bundle in CommonJS cannot have it.
runSkill().then((seen) => console.log(JSON.stringify(seen)));
