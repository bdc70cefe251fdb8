/**
 * True where the text contains the keyword as a separate word, ignoring case. In scripts without spaces between words
 * (Chinese, Japanese, Thai, ...) it may occur anywhere. Takes time linear in the text.
 */
export function containsKeyword(text: string, keyword: string): boolean {
  const wanted = folded(keyword).trim();
  if (wanted === "") return false;
  const searched = folded(text);
  const first = wanted.match(/^./su)?.[0] ?? "";
  const last = wanted.match(/.$/su)?.[0] ?? "";
  for (let at = searched.indexOf(wanted); at >= 0; at = searched.indexOf(wanted, at + 1)) {
    const before = searched.slice(Math.max(0, at - 2), at).match(/.$/su)?.[0] ?? "";
    const after = searched.slice(at + wanted.length, at + wanted.length + 2).match(/^./su)?.[0] ?? "";
    if (!joins(before, first) && !joins(last, after)) return true;
  }
  return false;
}

function folded(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ");
}

/** True where two neighbouring characters belong to one word. */
function joins(left: string, right: string): boolean {
  return LETTER.test(left) && LETTER.test(right) && !UNSPACED.test(left) && !UNSPACED.test(right);
}

const LETTER = /[\p{L}\p{N}\p{M}]/u;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
