/** Allowed names that a store might confuse or refuse if it derives file names or keys from them. */
export const TRICKY_NAMES: readonly string[] = [
  ..."a A a/b a/b/c a%2Fb a%2fb a_b a@1 a@1/b @1 % ~ a~b .a ..a a. - --help ab:c a*b? con nul.txt".split(" "),
  ..."v0 V0 v0/v0 a/v0 a/v0/a artifact.json .skillwright.json metadata.json __proto__ constructor".split(" "),
  ...["a b", '"quoted"', "\u00fc", "\u{1f600}.md", "x".repeat(255)],
  ...["A/", "a/"].flatMap((folder) => [`${folder.repeat(400)}a`, `${folder.repeat(400)}A`]),
];
