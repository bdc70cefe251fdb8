import { skillFields } from "@skillwright/core";
import { injector } from "@skillwright/injector";
import { fsRepository } from "@skillwright/repository-fs";
import { skillBox } from "@skillwright/skillbox";

const loader = fsRepository({ root: `${import.meta.dirname}/workspace/skills` });
console.log((await loader.list()).skills.map(({ path }) => path).join()); // workflow/consistency-checker,markdown-segment-translator
const { body, frontmatter } = await loader.load("workflow/consistency-checker");
console.log(skillFields(frontmatter).allowedTools.join(), body.includes("grep -c Ada")); // Read,Bash true

const inject = injector({ format: "markdown" });
const snapshot = await skillBox({ loader }).snapshot();
const context = { userMessage: "Check chapter 3", command: "/write", files: ["chapter-3.md"], metadata: {} };
const system = inject.enhanceSystemPrompt("You are a helpful assistant.", { snapshot, context });
console.log(system.includes("## Active Skills")); // true
console.log(system.includes("(SKILL file: `skills/consistency-checker/SKILL.md`)")); // true
const message = inject.prepareUserMessage("Check chapter 3", { snapshot, context });
console.log(message.startsWith("## Skills Overview")); // true
console.log(inject.getActiveSkillNames({ snapshot, context }).join()); // consistency-checker,markdown-segment-translator
