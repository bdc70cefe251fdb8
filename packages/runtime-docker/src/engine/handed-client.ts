/** A dockerode client created by the caller, who also closes it. */
export interface HandedClient {
  readonly modem: object;
  getContainer(id: string): object;
}
