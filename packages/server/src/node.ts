export { type ListeningServer, type ListenOptions, listen } from "./node/listen.js";
