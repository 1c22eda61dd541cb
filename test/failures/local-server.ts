import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface LocalServer {
  url: string;
  /** How many requests came. */
  readonly requests: number;
  close(): Promise<void>;
}

/** A provider's server on this machine: each request is answered by what stands for its number, the first is 0. */
export async function serve(answer: (response: ServerResponse, index: number) => void): Promise<LocalServer> {
  let requests = 0;
  const server = createServer((request, response) => {
    const index = requests;
    requests += 1;
    request.resume().on("end", () => { answer(response, index); });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // Of a server that listens on a port.
  return {
    url: `http://127.0.0.1:${port}`,
    get requests() {
      return requests;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => { resolve(); });
        server.closeAllConnections();
      }),
  };
}
