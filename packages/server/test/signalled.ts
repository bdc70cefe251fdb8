/** A promise, and the function that resolves it. */
export function signalled(): [Promise<void>, () => void] {
  let resolve = () => undefined as unknown;
  const promise = new Promise<void>((settle) => {
    resolve = settle as () => void;
  });
  return [promise, () => void resolve()];
}
