export type { MarketplaceSource } from "./claude/marketplace-source.js";
export { type Marketplace, type MarketplacePlugin, readMarketplace } from "./claude/read-marketplace.js";
export { pluginPath } from "./files/package-path.js";
export { type LaunchOptions, launchOf, type ServerLaunch } from "./launch/launch-of.js";
export { pluginManifestText } from "./manifest/manifest-text.js";
export { isPluginName } from "./manifest/plugin-name.js";
export type {
  Plugin,
  PluginAuthor,
  PluginFormat,
  PluginManifest,
  PluginServer,
  PluginSkill,
  RemoteServer,
  StdioServer,
} from "./plugin.js";
export { type ReadPluginOptions, readPlugin, readPluginManifest } from "./read-plugin.js";
