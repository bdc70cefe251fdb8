/**
 * Calls with the same key while one is on its way share its outcome. The work belongs to nobody: a caller that stops
 * waiting does not stop it for the others (TR-66, TR-67).
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
