/** About how wide a text is in a sans-serif font, in the unit of `size`; a little too wide rather than too narrow. */
export function textWidth(text, size) {
  let ems = 0;
  for (const char of text) ems += charWidth(char);
  return ems * size;
}

/** The text, shortened with an ellipsis where it would be wider than `width`. */
export function cutToWidth(text, size, width) {
  const shown = text.replace(/\s+/g, " ");
  if (textWidth(shown, size) <= width) return shown;
  let kept = "";
  for (const char of shown) {
    if (textWidth(`${kept}${char}…`, size) > width) break;
    kept += char;
  }
  return `${kept.trimEnd()}…`;
}

function charWidth(char) {
  if (char.codePointAt(0) >= 0x1100) return 1.05;
  if (/[iljtfI.,:;'|!()[\] ]/.test(char)) return 0.36;
  if (/[MWmw@%]/.test(char)) return 0.92;
  return /[A-Z…]/.test(char) ? 0.74 : 0.6;
}
