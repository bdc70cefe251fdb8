/**
 * Concurrent calls with the same key share one outcome. The work is independent of its callers: a caller that stops
 * waiting does not stop it for the others.
 */
export function singleFlight<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const flights = new Map<string, Promise<T>>();
  return (key, work) => {
    const underway = flights.get(key);
    if (underway) return underway;
    const flight = work().finally(() => flights.delete(key));
    flights.set(key, flight);
    return flight;
  };
}
