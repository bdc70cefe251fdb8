/** A kind of secret that can be recognised by its form. */
export interface SecretShape {
  readonly what: string;
  /** Lower-case words; every secret of this shape contains one. */
  readonly words: readonly string[];
  /** If it has a group, the first one is the secret part. */
  readonly pattern: RegExp;
  /** How many of the secret's first characters may be shown; 4 by default. */
  readonly shown?: number;
}

/** Published key formats of well-known services. Each repetition uses one character class, so matching is linear. */
export const secretShapes: readonly SecretShape[] = [
  { what: "an AWS access key", words: ["akia", "asia"], pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  {
    what: "a GitHub token",
    words: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
    pattern: /\bgh[pousr]_[A-Za-z0-9]{36,255}\b/g,
  },
  { what: "a GitHub token", words: ["github_pat_"], pattern: /\bgithub_pat_[A-Za-z0-9_]{22,255}/g },
  { what: "a GitLab token", words: ["glpat-"], pattern: /\bglpat-[\w-]{20,255}/g },
  { what: "an Anthropic key", words: ["sk-ant-"], pattern: /\bsk-ant-[\w-]{20,255}/g },
  {
    what: "an OpenAI key",
    words: ["sk-"],
    pattern: /(?<![\w-])sk-(?:(?:proj|svcacct|admin|or-v1)-[\w-]{20,255}|[A-Za-z0-9]{32,255}(?![\w-]))/g,
  },
  {
    what: "a Slack token",
    words: ["xoxa", "xoxb", "xoxp", "xoxr", "xoxs"],
    pattern: /\bxox[abprs]-[0-9A-Za-z-]{16,255}/g,
  },
  { what: "a Google API key", words: ["aiza"], pattern: /\bAIza[\w-]{35}(?![\w-])/g },
  { what: "a Stripe key", words: ["k_live_"], pattern: /\b[sr]k_live_[A-Za-z0-9]{16,255}/g },
  { what: "an npm token", words: ["npm_"], pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { what: "a Hugging Face token", words: ["hf_"], pattern: /\bhf_[A-Za-z0-9]{34}\b/g },
  { what: "a SendGrid key", words: ["sg."], pattern: /\bSG\.[\w-]{22}\.[\w-]{43}(?![\w-])/g },
  {
    what: "a JSON Web Token",
    words: ["eyj"],
    pattern: /\beyJ[\w-]{10,2000}\.eyJ[\w-]{10,2000}\.[\w-]{20,1000}/g,
  },
  {
    what: "a connection string with a password",
    words: ["://"],
    shown: 0,
    pattern:
      /\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver|ftp|https?):\/\/[^\s:@/"'`]{0,64}:([^\s:@/"'`]{1,200})@[\w.-]{1,253}/g,
  },
];

/** The first line of a private key block; the key follows it. */
export const PRIVATE_KEY = /-----BEGIN (?:[A-Z]{2,12} ){0,2}PRIVATE KEY(?: BLOCK)?-----/;
