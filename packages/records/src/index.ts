export { recordRegistry } from "./record-registry.js";
export { recordSessions } from "./record-sessions.js";
export { recordTrust } from "./record-trust.js";
export { recordTurns } from "./record-turns.js";
