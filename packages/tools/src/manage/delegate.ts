/** The object with some methods replaced; the others stay its own, whether it is plain, frozen or of a class. */
export function delegate<Port extends object>(port: Port, replaced: Partial<Port>): Port {
  // Over an empty object, since a frozen one would not let its methods be bound.
  return new Proxy({} as Port, {
    has: (_empty, key) => key in port,
    get(_empty, key) {
      if (Object.hasOwn(replaced, key)) return Reflect.get(replaced, key);
      const value: unknown = Reflect.get(port, key);
      return typeof value === "function" ? value.bind(port) : value;
    },
  });
}
