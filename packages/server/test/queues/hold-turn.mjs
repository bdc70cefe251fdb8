// Takes one turn of an application and works on it until it is killed.
const [module, place, app] = process.argv.slice(2);
const { open } = await import(module);
const queue = await open(place);
await queue.work(app, async (turn) => {
  console.log(JSON.stringify(turn));
  await new Promise(() => undefined);
});
