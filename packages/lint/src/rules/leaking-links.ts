import { patternRule } from "../pattern-rule.js";

const CONTEXT =
  "conversation|context|history|secrets?|tokens?|api_?-?keys?|passwords?|credentials?|env(?:ironment)?|chat|messages?|prompts?|user_?-?data|file_?-?contents?|memory|data|payload|stolen|exfil";

/** SEC-14: an address that sends what the model knows to its server. */
export const leakingLinks = patternRule({
  id: "SEC-14",
  severity: "warning",
  title: "Remote image or link whose query is built from the conversation or the machine",
  help: "Remove the placeholder from the address. An image is fetched as soon as it is shown.",
  patterns: [
    {
      words: ["!["],
      pattern:
        /!\[[^\]\n]{0,200}\]\(\s{0,3}<?https?:\/\/[^\s)]{1,300}?[?&][\w.-]{1,40}=[^\s)&]{0,80}?(?:\{|\$[{(A-Z]|<|%7[bB]|\[)/g,
      says: "The address of a remote image contains filled-in data",
    },
    {
      words: ["<img"],
      pattern:
        /<img\s[^>\n]{0,200}?src\s?=\s?["']?https?:\/\/[^\s"'>]{1,300}?[?&][\w.-]{1,40}=[^\s"'>&]{0,80}?(?:\{|\$[{(A-Z]|<|%7[bB]|\[)/g,
      says: "The address of a remote image contains filled-in data",
      within: ["prose"],
    },
    {
      words: ["](http"],
      pattern: new RegExp(
        String.raw`\]\(\s{0,3}https?:\/\/[^\s)]{1,300}?[?&][\w.-]{1,40}=[^\s)&]{0,40}?(?:\{\{?|\$\{?|<|\[|%7b)\s?(?:\w{1,20}[_. -])?(?:${CONTEXT})\b`,
        "gi",
      ),
      says: "The address of a link contains data from the conversation or the results",
      within: ["prose", "header"],
    },
    {
      words: ["://"],
      pattern:
        /https?:\/\/[^\s"'`]{1,200}?[?&/][\w.-]{0,40}=?(?:\$\(|`)\s{0,2}(?:cat|env|printenv|base64|whoami|hostname|id|tar|history|ls)\b/gi,
      says: "An address contains data from files or the environment of the machine",
    },
  ],
});
