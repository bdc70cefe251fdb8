import { agentLimits } from "./rows/agent.js";
import { archiveLimits } from "./rows/archive.js";
import { configLimits } from "./rows/config.js";
import { coreLimits } from "./rows/core.js";
import { injectorLimits } from "./rows/injector.js";
import { interactiveToolLimits } from "./rows/interactive-tools.js";
import { keptHeaderLimits } from "./rows/kept-headers.js";
import { keptSearchLimits } from "./rows/kept-search.js";
import { lintLimits } from "./rows/lint.js";
import { mcpLimits } from "./rows/mcp.js";
import { redisLimits } from "./rows/metadata-redis.js";
import { packedPluginLimits, pluginLimits } from "./rows/plugins.js";
import { registryLimits } from "./rows/registry.js";
import { fsLimits, gitLimits, memoryLimits } from "./rows/repositories.js";
import { httpLimits } from "./rows/repository-http.js";
import { mcpRepositoryLimits } from "./rows/repository-mcp.js";
import { s3Limits } from "./rows/repository-s3.js";
import { sqlLimits } from "./rows/repository-sql.js";
import { runEventLimits } from "./rows/run-events.js";
import { runningToolLimits } from "./rows/running-tools.js";
import { runLimits } from "./rows/runs.js";
import { dockerLimits, localLimits } from "./rows/runtimes.js";
import { serverLimits } from "./rows/server.js";
import { skillToolLimits } from "./rows/skill-tools.js";
import { skillBoxLimits } from "./rows/skillbox.js";
import { workspaceLimits } from "./rows/workspace.js";

/** Every documented default and limit. */
export const limits = [
  ...agentLimits,
  ...archiveLimits,
  ...configLimits,
  ...coreLimits,
  ...injectorLimits,
  ...dockerLimits,
  ...fsLimits,
  ...keptHeaderLimits,
  ...keptSearchLimits,
  ...gitLimits,
  ...httpLimits,
  ...registryLimits,
  ...lintLimits,
  ...localLimits,
  ...mcpLimits,
  ...mcpRepositoryLimits,
  ...memoryLimits,
  ...pluginLimits,
  ...packedPluginLimits,
  ...redisLimits,
  ...s3Limits,
  ...serverLimits,
  ...sqlLimits,
  ...skillBoxLimits,
  ...interactiveToolLimits,
  ...runningToolLimits,
  ...skillToolLimits,
  ...runEventLimits,
  ...runLimits,
  ...workspaceLimits,
];
