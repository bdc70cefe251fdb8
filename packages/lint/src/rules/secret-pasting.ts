import { patternRule } from "../pattern-rule.js";

const SECRET =
  "(?:api[ _-]?keys?|passwords?|passphrases?|access[ _-]?tokens?|secret[ _-]?keys?|private[ _-]?keys?|seed phrases?|mnemonics?|credentials?|recovery phrases?)";

/** SEC-17: secrets that pass through the model or appear in the process list. */
export const secretPasting = patternRule({
  id: "SEC-17",
  severity: "info",
  title: "Request to paste a secret into the conversation or an argument",
  help: "Let the user set an environment variable that the skill declares; text in a conversation is stored and sent to others.",
  patterns: [
    {
      words: ["paste", "send me", "give me", "tell me", "provide", "share", "type"],
      pattern: new RegExp(
        String.raw`\b(?:paste|send me|give me|tell me|provide|share|type(?: in)?)\s{1,3}(?:me\s{1,3})?(?:(?:your|the|their|his|a|an|full|own)\s{1,3}){0,3}(?:[\w.-]{1,20}\s{1,3}){0,2}${SECRET}\b[^.!?]{0,30}?\b(?:here|in(?:to)?\s(?:the\s|this\s)?(?:chat|conversation|prompt|message)|to me|below)\b`,
        "gi",
      ),
      within: ["prose", "header"],
      says: "The user is asked to paste a secret",
    },
    {
      words: ["ask", "prompt"],
      pattern: new RegExp(
        String.raw`\b(?:ask|prompt)\s{1,3}(?:the\s{1,3})?users?\s{1,3}(?:for|to (?:paste|provide|share|enter|give))\s{1,3}(?:(?:their|the|a|an|its|your)\s{1,3}){0,2}(?:[\w.-]{1,20}\s{1,3}){0,2}${SECRET}\b`,
        "gi",
      ),
      within: ["prose", "header"],
      says: "The model is told to ask the user for a secret",
    },
    {
      words: ["--password", "--passwd", "--api-key", "--apikey", "--token", "--secret", "--private-key"],
      pattern:
        /\s--(?:password|passwd|api-?key|token|secret(?:-key)?|private-key)[\s=]["']?(?:<[\w -]{1,40}>|YOUR[_-]\w{1,30}|your[_-]\w{1,30}|\{\w{1,30}\})/g,
      says: "A secret is an argument of a command, where other programs can read it",
    },
  ],
});
