export interface PluginPlaces {
  /** The plugin's root. */
  readonly root: string;
  readonly data: string;
}

/** The placeholders, as a configuration has them. */
export const ROOT_PLACEHOLDER = `\${PLUGIN_ROOT}`;
export const DATA_PLACEHOLDER = `\${PLUGIN_DATA}`;

/** Replaces `${PLUGIN_ROOT}` and `${PLUGIN_DATA}`, once: what is put in is not searched again. All else stays. */
export function expanded(text: string, { root, data }: PluginPlaces): string {
  return text.replace(/\$\{PLUGIN_(ROOT|DATA)\}/g, (_, name) => (name === "ROOT" ? root : data));
}
