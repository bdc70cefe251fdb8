export { type ListeningServer, type ListenOptions, listen } from "./node/listen.js";
export { nodeHandler } from "./node/node-handler.js";
