// Lists the skills of the command in its arguments and ends, without closing anything.
import { mcpRepository } from "@skillwright/repository-mcp";

await mcpRepository({ server: { command: process.argv.slice(2) } }).list();
