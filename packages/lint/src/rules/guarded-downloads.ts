import { patternRule } from "../pattern-rule.js";
import type { TextWindow } from "../text-windows.js";

/** SEC-10: ways to bypass the checks of the system and of scanners, as used by campaigns against skills. */
export const guardedDownloads = patternRule({
  id: "SEC-10",
  severity: "error",
  title: "Removal of download protection, password-protected archive, or program as prerequisite",
  help: "Install programs from the signed package of their publisher, and leave the system's checks on.",
  patterns: [
    {
      words: ["xattr"],
      pattern:
        /\bxattr\s{1,3}(?:-\w{1,4}\s{1,3}){0,3}(?:-[a-z]{0,3}c[a-z]{0,2}\b|-[a-z]{0,3}d[a-z]{0,2}\s{1,3}["']?com\.apple\.quarantine)/g,
      says: "The mark of a download is removed, so that the system does not check it",
    },
    {
      words: ["spctl", "unblock-file", "mppreference"],
      pattern:
        /\bspctl\s{1,3}--(?:master|global)-disable\b|\bUnblock-File\b|\b(?:Set|Add)-MpPreference\s[^\n]{0,80}?-(?:Disable|Exclusion)/gi,
      says: "The system's protection against downloads is disabled",
    },
    {
      words: ["unzip", "7z", "unrar", "bsdtar"],
      pattern:
        /\b(?:unzip\s[^\n|;&]{0,80}?-P\s{0,2}|7z[az]?\s{1,3}[xe]\s[^\n|;&]{0,120}?-p|unrar\s{1,3}[xe]\s[^\n|;&]{0,120}?-p|bsdtar\s[^\n|;&]{0,120}?--passphrase[\s=])["']?(?![$<{%"'\s-])\S{3}/g,
      says: "An archive is opened with a fixed password, which keeps scanners out of it",
    },
    {
      words: ["password", "passcode", "passphrase"],
      pattern:
        /\bpass(?:word|code|phrase)\b[^.]{0,20}?(?:[:=]|\bis\b)\s{0,2}[*_]{0,2}["'`]?(?![$<{%])[\w!@#-]{3,40}/gi,
      within: ["prose"],
      says: "The password of an archive is given, which keeps scanners out of it",
      accept: isOfArchive,
    },
    {
      words: [".exe", ".msi", ".dmg", ".pkg", ".scr", ".zip", ".7z", ".rar"],
      pattern: /https?:\/\/[^\s"'`<>)]{4,300}?\.(?:exe|msi|dmg|pkg|scr|zip|7z|rar)\b(?![\w/.-])/gi,
      says: "A program or archive must be downloaded and run before the skill works",
      accept: isPrerequisite,
    },
  ],
});

function isOfArchive({ index, 0: match }: RegExpExecArray, { text }: TextWindow): boolean {
  const around = text.slice(Math.max(0, index - 120), index + match.length + 40);
  return (
    /\b(?:zip|rar|7z|archive)\b|\.(?:zip|rar|7z)\b/i.test(around) &&
    /\b(?:extract|unpack|unzip|decompress|open)\w{0,3}\b/i.test(around) &&
    // A literal value, not a word of the sentence.
    /["'`*]|\d/.test(match.slice(8))
  );
}

const MUST = /\b(?:prerequisites?|required?|must|before (?:using|you|running|the skill)|needs?)\b/i;
const FETCH = /\bdownload(?:ed|ing)?\b/i;
const RUN = /\b(?:run|execute|launch|double-click|open|start)\b/i;

function isPrerequisite({ index, 0: url }: RegExpExecArray, { file, line, text }: TextWindow): boolean {
  if (!FETCH.test(text)) return false;
  const others = `${text.slice(0, index)} ${text.slice(index + url.length)}`;
  if (!RUN.test(others) && /\.(?:zip|7z|rar)$/i.test(url)) return false;
  return RUN.test(others) && (MUST.test(others) || MUST.test(headingAbove(file, line)));
}

function headingAbove(file: TextWindow["file"], line: number): string {
  for (let above = line - 1; above > Math.max(0, line - 40); above--) {
    const text = file.line(above).slice(0, 200);
    if (/^#{1,6}\s/.test(text)) return text;
  }
  return "";
}
