/** A text for each plural form of a language; `#` stands for the number. `other` is for the forms that are missing. */
export type PluralForms = { readonly other: string } & {
  readonly [Form in Exclude<Intl.LDMLPluralRule, "other">]?: string;
};

/** Lets every language have the plural forms that it needs. */
export function counted(forms: PluralForms): PluralForms {
  return forms;
}
