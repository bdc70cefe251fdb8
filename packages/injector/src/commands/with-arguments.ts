/**
 * Fills in the arguments: `$ARGUMENTS` is the whole text, `$1` to `$9` are its words (quotes group several; a missing
 * one is empty). A text without placeholders gets the arguments appended on separate lines. The arguments themselves
 * are not searched for placeholders.
 */
export function withArguments(text: string, given: string): string {
  const words = argumentWords(given);
  let asked = false;
  const filled = text.replace(/\$(?:ARGUMENTS\b|([1-9])(?!\d))/g, (_whole, digit: string | undefined) => {
    asked = true;
    return digit === undefined ? given : (words[Number(digit) - 1] ?? "");
  });
  return asked || given === "" ? filled : `${filled}\n\n${given}`;
}

function argumentWords(given: string): readonly string[] {
  return [...given.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );
}
