import { patternRule } from "../pattern-rule.js";
import type { TextWindow } from "../text-windows.js";

const SHORTENERS =
  "bit.ly tinyurl.com t.co goo.gl is.gd v.gd ow.ly cutt.ly rb.gy buff.ly rebrand.ly shorturl.at t.ly tiny.cc adf.ly bl.ink shorte.st s.id dub.sh";
const PASTE =
  "pastebin.com paste.ee hastebin.com ghostbin.com rentry.co rentry.org dpaste.com dpaste.org termbin.com controlc.com justpaste.it privatebin.net glot.io ix.io sprunge.us 0x0.st transfer.sh file.io gofile.io temp.sh anonfiles.com catbox.moe pastes.io paste.rs";
const TUNNELS =
  "ngrok.io ngrok.app ngrok.dev ngrok-free.app ngrok-free.dev trycloudflare.com loca.lt localtunnel.me serveo.net localhost.run lhr.life bore.pub pagekite.me pinggy.io pinggy.link tunnelmole.net devtunnels.ms";
const REQUEST_BINS =
  "webhook.site requestbin.com requestbin.net pipedream.net beeceptor.com requestcatcher.com hookbin.com interact.sh oast.fun oast.pro oast.live oast.site oast.online oast.me burpcollaborator.net oastify.com dnslog.cn ceye.io canarytokens.com webhook.cool postb.in mockbin.org requestinspector.com";

/** SEC-09: hosts whose owner a reader cannot identify. */
export const hosts = patternRule({
  id: "SEC-09",
  severity: "warning",
  title: "URL with a bare IP address, or of a link shortener, paste, tunnel or request-bin host",
  help: "Use the address of the service itself, whose owner is known.",
  patterns: [
    hostPattern(SHORTENERS, "A short link hides where it leads"),
    hostPattern(PASTE, "A paste or file-drop host can serve any content"),
    hostPattern(TUNNELS, "A tunnel leads to a private machine"),
    hostPattern(REQUEST_BINS, "A request bin collects whatever is sent to it"),
    {
      words: ["://"],
      pattern:
        /:\/\/(?:[^\s/@"'`]{1,64}@)?(?:\d{1,3}(?:\.\d{1,3}){3}|\d{8,10}|0x[0-9a-f]{8}|\[[0-9a-f]{0,4}:[0-9a-f:.]{1,42}\])(?=[:/\s"'`)>,;?#\]]|$)/gi,
      says: "A URL names a bare IP address",
      accept: ([url]) => isPublicAddress(url.replace(/^:\/\/(?:[^@]*@)?/, "")),
    },
  ],
});

function hostPattern(list: string, says: string) {
  const words = list.split(" ");
  const names = words.map((host) => host.replaceAll(".", "\\.")).join("|");
  const pattern = new RegExp(`(?<=^|[/.@\\s"'\`(<\\[=])(?:${names})(?![\\w-]|\\.\\w)`, "gi");
  return { words, pattern, says, accept: isAddress };
}

/** A name with a scheme or a path is an address. A bare name, or one with a placeholder, is only mentioned. */
function isAddress(match: RegExpExecArray, { text }: TextWindow): boolean {
  const before = /[^\s"'`(<[]{0,80}$/.exec(text.slice(Math.max(0, match.index - 80), match.index))?.[0] ?? "";
  if (/(?:abc|xyz|xxx|your|my-|example|random|subdomain|[>})\]])[\w-]{0,20}\.$/i.test(before)) return false;
  return before.includes("://") || /^\/[\w$<{-]/.test(text.slice(match.index + match[0].length));
}

/** Excludes this machine, private networks, example ranges and public resolvers. */
function isPublicAddress(host: string): boolean {
  if (host.startsWith("["))
    return !/^\[(?:(?:0{0,4}:){2,7}0{0,3}[01]?|::ffff:.*|f[cde][0-9a-f]{2}:.*|2001:0?db8:.*)\]$/i.test(host);
  if (!host.includes(".")) return true;
  const [a = 0, b = 0, c = 0] = host.split(".").map(Number);
  if (host.split(".").some((part) => Number(part) > 255)) return false;
  return !(
    [0, 10, 127, 255].includes(a) ||
    (a === 192 && b === 168) ||
    (a === 172 && b >= 16 && b < 32) ||
    (a === 100 && b >= 64 && b < 128) ||
    (a === 169 && b === 254) ||
    (a === 192 && b === 0 && c === 2) ||
    (a === 198 && b === 51 && c === 100) ||
    (a === 203 && b === 0 && c === 113) ||
    ["1.1.1.1", "1.2.3.4", "8.8.8.8"].includes(host)
  );
}
