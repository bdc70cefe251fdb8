import { patternRule } from "../pattern-rule.js";
import type { TextWindow } from "../text-windows.js";

const PROFILE = String.raw`(?:~|\$\{?HOME\}?)\/\.(?:bashrc|bash_profile|bash_login|profile|zshrc|zprofile|zshenv|zlogin|config\/fish\/config\.fish)\b`;

/** SEC-12: changes that remain after the skill is removed. */
export const persistence = patternRule({
  id: "SEC-12",
  severity: "warning",
  title: "Writes to shell profiles or timers (warning), to an agent's memory or settings (info)",
  help: "Leave lasting changes to the user: say what to add instead of adding it.",
  patterns: [
    {
      words: ["rc", "profile", "zshenv", "zlogin", "bash_login", "config.fish"],
      pattern: new RegExp(
        String.raw`(?:>>?|\btee\s{1,3}(?:-a\s{1,3})?|\bsed\s{1,3}-i\S{0,8}\s[^\n|;]{0,160}?)\s{0,3}["']?${PROFILE}|>>?\s{0,3}["']?\$PROFILE\b|\bAdd-Content\s[^\n|;]{0,40}?\$PROFILE\b`,
        "g",
      ),
      says: "A shell profile is changed",
    },
    {
      words: ["authorized_keys"],
      pattern: /(?:>>?|\btee\s{1,3}(?:-a\s{1,3})?)\s{0,3}["']?\S{0,60}\.ssh\/authorized_keys\b/g,
      says: "A key is given access to the account",
    },
    {
      words: ["crontab", "/etc/cron"],
      pattern:
        /\|\s{0,3}(?:sudo\s{1,3})?crontab\s{1,3}(?:-u\s{1,3}\S{1,40}\s{1,3})?-(?=[\s`"')]|$)|\bcrontab\s{1,3}(?!-)[\w./~$]{1,80}\.\w{1,8}|(?:>>?|\btee\b|\bcp\s\S{1,80})\s{0,3}["']?\/etc\/cron[\w./]{1,60}/g,
      says: "A cron job is created",
    },
    {
      words: [
        "launchagents",
        "launchdaemons",
        "launchctl",
        "schtasks",
        "scheduledtask",
        "currentversion\\run",
      ],
      pattern:
        /(?:>>?|\btee\b|\bcp\s\S{1,80}|\bmv\s\S{1,80}|\bln\s{1,3}-\w{1,4}\s\S{1,80})\s{0,3}["']?\S{0,40}Library\/Launch(?:Agents|Daemons)\b|\blaunchctl\s{1,3}(?:load|bootstrap)\b|\bschtasks(?:\.exe)?\s{1,3}\/create\b|\bRegister-ScheduledTask\b|\\CurrentVersion\\Run\b/gi,
      says: "A program is configured to start automatically",
    },
    {
      words: [
        "claude.md",
        "agents.md",
        "memory.md",
        "soul.md",
        "gemini.md",
        "settings.json",
        "settings.local.json",
        ".cursorrules",
        ".cursor/rules",
        "copilot-instructions.md",
        "codex/config.toml",
        "openclaw.json",
        ".mcp.json",
      ],
      pattern:
        /(?:\bCLAUDE\.md|\bAGENTS\.md|\bMEMORY\.md|\bSOUL\.md|\bGEMINI\.md|\.(?:claude|gemini)\/settings(?:\.local)?\.json|\.cursorrules\b|\.cursor\/rules\b|\bcopilot-instructions\.md|\.codex\/config\.toml|\bopenclaw\.json|\.mcp\.json)/g,
      says: "An agent's memory or settings are changed",
      severity: "info",
      within: ["prose", "code"],
      accept: isWritten,
    },
  ],
});

const WRITES =
  /(?:\b(?:add|append|write|insert|save|put|inject|install|merge|record|persist|register|update|edit|modify|create|change|configure|set)\b[^.!?\n]{0,80}|>>?\s{0,3}["']?\S{0,60})$/i;

function isWritten({ index }: RegExpExecArray, { text }: TextWindow): boolean {
  return WRITES.test(text.slice(Math.max(0, index - 100), index));
}
