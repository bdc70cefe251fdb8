/** Started by `measureInOwnProcess`: runs one measurement with its options and sends the result. */
const [module, options] = process.argv.slice(2);
process.on("disconnect", () => process.exit());
try {
  const { default: measure } = await import(module);
  process.send?.({ found: await measure(JSON.parse(options)) });
} catch (/** @type {any} */ error) {
  process.send?.({ failure: String(error?.message ?? error), stack: error?.stack });
}
