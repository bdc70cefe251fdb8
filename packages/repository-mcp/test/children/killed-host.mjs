// Lists the skills of the command in its arguments, says so, and waits to be killed.
import { mcpRepository } from "@skillwright/repository-mcp";

const repository = mcpRepository({ server: { command: process.argv.slice(2) } });
await repository.list();
process.stdout.write("listed\n");
setInterval(() => undefined, 1000);
