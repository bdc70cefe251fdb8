// Serves the skills of a folder over standard streams, as `skillwright mcp` does.
import { skillServer } from "@skillwright/mcp";
import { fsRepository } from "@skillwright/repository-fs";
import { skillBox } from "@skillwright/skillbox";

const [root] = process.argv.slice(2);
await using skills = skillBox({ own: fsRepository({ root }) });
await skillServer({ skills }).serve({ input: process.stdin, output: process.stdout });
