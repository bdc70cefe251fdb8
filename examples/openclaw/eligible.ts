import { loadConfiguration } from "@skillwright/config";
import { memoryRepository } from "@skillwright/repository-memory";
import { eligible, localHost, skillBox } from "@skillwright/skillbox";

const skill = (name: string, requires: string, more = "") => ({
  "SKILL.md": `---\nname: ${name}\ndescription: Does ${name}.\nmetadata: { openclaw: { ${more} requires: ${requires} } }\n---\n`,
});
const managed = memoryRepository({
  skills: {
    shell: skill("shell", "{ bins: [sh] }"),
    noisy: skill("noisy", "{ bins: [sh] }"),
    gone: skill("gone", "{ bins: [no-such-program] }"),
    forge: skill("forge", "{ env: [FORGE_KEY] }", "primaryEnv: FORGE_KEY,"),
  },
});
const env = { SKILLWRIGHT_CONFIG: "skillwright.config.json", MY_FORGE_KEY: "a-key-from-the-environment" };
const { configuration } = await loadConfiguration({ cwd: import.meta.dirname, env });
const skills = eligible(skillBox({ managed }), {
  host: localHost(),
  settings: configuration.skills.settings,
});
const { skills: usable, diagnostics } = await skills.snapshot();
console.log(usable.map(({ name }) => name).join()); // forge,shell
console.log(diagnostics.map(({ message }) => message.split(":")[0]).join()); // The skill "gone" is left out,The skill "noisy" is left out
