import { patternRule } from "../pattern-rule.js";
import type { TextWindow } from "../text-windows.js";

/** SEC-07: downloaded code that is run without review. */
export const downloads = patternRule({
  id: "SEC-07",
  severity: "warning",
  title: "Download that is executed without review",
  help: "Include the script in the skill, or name a package with its version; otherwise save, show and check it before running it.",
  patterns: [
    {
      words: ["|", "&#124;"],
      pattern:
        /(?:\||&#124;)&?\s{0,3}(?:sudo\s{1,3}(?:-\w{1,12}\s{1,3}){0,3})?(?:\/usr)?(?:\/local)?(?:\/bin\/)?(?:env\s{1,3})?(?:ba|z|k|da|a|fi)?sh\b(?=\s{0,3}(?:$|[;&|)`"'#\\<>,.!?*]|-s\b|--?\s|-[elux]{1,4}\b|(?:to|and|or|which|in|for)\s))/gm,
      says: "A download is piped into a shell",
      accept: comesFromDownload,
    },
    {
      words: ["|", "&#124;"],
      pattern:
        /(?:\||&#124;)\s{0,3}(?:sudo\s{1,3}(?:-\w{1,12}\s{1,3}){0,3})?(?:\/usr)?(?:\/local)?(?:\/bin\/)?(?:env\s{1,3})?(?:python[\d.]{0,4}|node|deno\srun|bun\srun|perl|ruby|php|pwsh|powershell|osascript)\b(?=\s{0,3}(?:$|[;&|)`"'#\\<>,.!?*]|-(?:\s|$|[`"')])|\/dev\/stdin))/gm,
      says: "A download is piped into an interpreter",
      accept: comesFromDownload,
    },
    {
      words: ["<("],
      pattern:
        /(?:\b(?:ba|z|k|da)?sh|\bsource|\bpython[\d.]{0,4}|\bnode|(?:^|\s)\.)\s{1,3}<\(\s{0,3}(?:curl|wget)\b/g,
      says: "A download is executed as a script",
    },
    {
      words: ["curl", "wget"],
      pattern:
        /\b(?:eval|(?:ba|z|k|da)?sh\s{1,3}-\w{0,3}c|source|python[\d.]{0,4}\s{1,3}-c|node\s{1,3}-e)\s{1,3}["']?(?:\$\(|`)\s{0,3}(?:curl|wget)\b/g,
      says: "The text of a download is executed",
    },
    {
      words: ["curl", "wget"],
      pattern: /(?:&&|;)\s{0,3}(?:sudo\s{1,3})?(?:ba|z|k|da)?sh\s{1,3}(?!-c\b)[\w./~$"'-]{1,100}/g,
      says: "A downloaded script is executed immediately",
      accept: comesFromDownload,
    },
    {
      words: ["requests.get", "urlopen", "fetch(", "httpx.get", "axios"],
      pattern:
        /(?<![.\w])(?:eval|exec|execfile|Function|vm\.runIn\w{1,20}|runInThisContext|importlib\.\w{1,20})\s?\([^\n;]{0,60}?\b(?:requests\.get|urlopen|fetch|httpx\.get|axios(?:\.get)?)\s?\(/g,
      says: "The text of a download is evaluated",
    },
    {
      words: ["invoke-expression", "iex"],
      pattern:
        /\bInvoke-Expression\b|(?:\||&#124;)\s{0,3}iex\b|\biex\s{0,2}\(\s{0,2}(?:\(|new-object|irm|iwr|invoke-)|\biex\s{1,3}["'$&]/gi,
      says: "PowerShell evaluates text as a command",
    },
  ],
});

/**
 * True where the command before a match downloads something. The bare word, as in a table of bad habits, does not
 * count.
 */
function comesFromDownload({ index }: RegExpExecArray, { text }: TextWindow): boolean {
  const before = text.slice(Math.max(0, index - 400), index);
  const at = Math.max(before.lastIndexOf("curl "), before.lastIndexOf("wget "));
  return at !== -1 && /https?:|ftp:|\$|["'{<]|\s-|\w\.\w/i.test(before.slice(at + 4));
}
