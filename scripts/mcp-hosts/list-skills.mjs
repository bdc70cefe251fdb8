// The client that the conformance suite starts: it lists the skills of the server at the address that is its last argument.
import { built } from "../../bench/built.mjs";

const { mcpRepository } = await built("repository-mcp");
const repository = mcpRepository({ server: { url: process.argv.at(-1) } });
try {
  await repository.list();
} catch (error) {
  // A server of the suite offers no skills, which is the error to expect.
  if (/** @type {{ code?: string }} */ (error).code !== "UNSUPPORTED") throw error;
} finally {
  await repository.close();
}
