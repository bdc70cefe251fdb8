import { patternRule } from "../pattern-rule.js";

/** SEC-15: instructions that depend on a server. */
export const fetchedInstructions = patternRule({
  id: "SEC-15",
  severity: "warning",
  title: "Instructions that are fetched from a URL when the skill runs",
  help: "Put the text into the skill, where it is reviewed and covered by the digest.",
  patterns: [
    {
      words: ["http"],
      pattern:
        /(?<![:\w/-])(?:fetch(?:es)?|download|retrieve|load|pull|webfetch|curl|get)\b[^.!?]{0,60}?\b(?:instructions?|guidelines?|rules|prompts?|commands to (?:run|execute)|steps to (?:follow|take)|skill (?:file|definition))\b[^!?]{0,60}?\bhttps?:\/\//gi,
      within: ["prose", "header"],
      says: "The model is told to fetch its instructions from a URL",
    },
    {
      words: ["http"],
      pattern:
        /\b(?:follow|obey|execute|carry out|apply)\s{1,3}(?:(?:all|any|the|its|every|latest|current)\s{1,3}){0,3}(?:instructions?|commands?|rules|steps|guidelines)\b[^.!?]{0,40}?\b(?:at|from|in|on)\b[^.!?]{0,20}?https?:\/\//gi,
      within: ["prose", "header"],
      says: "The model is told to follow the content of a URL",
    },
    {
      words: ["skill.md", "heartbeat.md", "instructions.", "prompt.", "rules.md", "command.md"],
      pattern:
        /\b(?:curl|wget|fetch|WebFetch)\b[^\n]{0,80}?https?:\/\/[^\s"'`)]{1,200}?\/(?:skill|heartbeat|instructions|system-?prompt|prompt|rules|command)\.(?:md|txt)\b/gi,
      says: "Text that instructs the model is fetched from a URL",
    },
  ],
});
