import { patternRule } from "../pattern-rule.js";

/** SEC-11: files where a machine keeps its owner's keys. */
export const credentialStores = patternRule({
  id: "SEC-11",
  severity: "warning",
  title: "Access to keys, cloud credentials, key chains, browser profiles or wallets",
  help: "Declare a variable for the one value that is needed; a skill should never access these places.",
  patterns: [
    {
      words: [".ssh"],
      pattern:
        /(?:~|\$\{?HOME\}?|%USERPROFILE%|\/root|\/home\/[\w$<{}>-]{1,40}|\/Users\/[\w$<{}>-]{1,40})[/\\]\.ssh(?:[/\\](?!config\b|known_hosts\b|authorized_keys\b)(?!\S{1,60}\.pub\b)[\w.*<{-]{1,60}|[/\\]?(?=[\s"'`),;|*]|$))/gm,
      says: "Private keys of SSH are read",
      // SSH programs may use SSH's own files.
      accept: ({ index }, { text }) =>
        !/(?:\s-i|\bssh-(?:keygen|add|copy-id)\b[^|;&]{0,80}|\bIdentityFile|\bmkdir[^|;&]{0,20}|\bchmod[^|;&]{0,12})\s{0,3}["']?$/.test(
          text.slice(Math.max(0, index - 120), index),
        ),
    },
    {
      words: [
        ".aws/credentials",
        "gcloud",
        ".azure",
        "application_default_credentials",
        "169.254.169.254",
        "metadata.google",
      ],
      pattern:
        /\.aws[/\\]credentials\b|\.config[/\\]gcloud\b|\bapplication_default_credentials\.json|~[/\\]\.azure\b|(?:\/\/|\s)169\.254\.169\.254\/|\bmetadata\.google\.internal\//g,
      says: "Credentials of a cloud account are read",
    },
    {
      words: [".netrc", ".git-credentials", ".pypirc", "/etc/shadow"],
      pattern:
        /(?:~|\$\{?HOME\}?)[/\\][._]netrc\b|(?:~|\$\{?HOME\}?)[/\\]\.(?:git-credentials|pypirc)\b|\/etc\/shadow\b|\bcat\s{1,3}\S{0,40}\.netrc\b/g,
      says: "Stored passwords are read",
    },
    {
      words: [
        "keychain",
        "find-generic-password",
        "find-internet-password",
        "secret-tool",
        "export-secret-keys",
        "vaultcmd",
      ],
      pattern:
        /\bsecurity\s{1,3}(?:find-(?:generic|internet)-password|dump-keychain|export)\b|\blogin\.keychain|Library\/Keychains\b|\bsecret-tool\s{1,3}(?:lookup|search)\b|\bgpg2?\s[^\n|;]{0,40}?--export-secret-keys?\b|\bvaultcmd\s{1,3}\/list/gi,
      says: "The key chain is read",
    },
    {
      words: [
        "login data",
        "logins.json",
        "key4.db",
        "cookies.sqlite",
        "user data",
        "firefox/profiles",
        "google-chrome",
      ],
      pattern:
        /(?:Chrome|Chromium|Edge|Brave\S{0,12}|google-chrome)[^\n"'`]{0,60}[/\\](?:Login Data|Cookies|Web Data|Local State)\b|\b(?:logins\.json|key4\.db|cookies\.sqlite)\b|Firefox[/\\]Profiles\b/gi,
      says: "A browser's passwords or cookies are read",
    },
    {
      words: ["wallet", "solana/id.json", "keystore", "nkbihfbeogaeaoehlefnkodbefgpgknn", "electrum"],
      pattern:
        /\bwallet\.dat\b|\bexodus\.wallet\b|\.config\/solana\/id\.json|\.ethereum\/keystore\b|\bnkbihfbeogaeaoehlefnkodbefgpgknn\b|\.electrum\/wallets\b/gi,
      says: "A wallet is read",
    },
  ],
});
