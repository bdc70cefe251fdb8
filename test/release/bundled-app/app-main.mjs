import { runSkill } from "./app.mjs";

// No top-level await, because a CommonJS bundle cannot have it.
runSkill().then((seen) => console.log(JSON.stringify(seen)));
