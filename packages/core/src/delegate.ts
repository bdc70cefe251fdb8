/** Returns the object, plain, frozen or of a class, with some methods replaced; the others stay its own. */
export function delegate<Port extends object>(port: Port, replaced: Partial<Port>): Port {
  // The proxy target is an empty object, since a frozen one would not allow its methods to be bound.
  return new Proxy({} as Port, {
    has: (_empty, key) => key in port,
    get(_empty, key) {
      if (Object.hasOwn(replaced, key)) return Reflect.get(replaced, key);
      const value: unknown = Reflect.get(port, key);
      return typeof value === "function" ? value.bind(port) : value;
    },
  });
}
