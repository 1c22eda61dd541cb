import { lookup } from "node:dns";
import { request as requestPlain, type IncomingMessage, type RequestOptions } from "node:http";
import { request as requestSecure } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { FetchRefusedError } from "./fetch-refused-error.ts";

export interface PageRequest {
  /** Whether an address may be asked. */
  isRefused: (address: string) => boolean;
  maxBytes: number;
  signal: AbortSignal;
}

/** What a server answered. */
export interface Page {
  status: number;
  /** Without parameters, in small letters; empty when the server does not say. */
  mediaType: string;
  charset: string;
  /** Where it says to go instead. */
  location: string | undefined;
  body: Uint8Array;
}

/**
 * Makes one request, and follows no redirection. The address that is judged is the one that is connected to: a name that is
 * looked up once more may lead elsewhere.
 *
 * @throws {FetchRefusedError} a private address, too large, or no answer
 */
export async function requestPage(url: URL, options: PageRequest): Promise<Page> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  // An address is not looked up.
  if (isIP(host) !== 0 && options.isRefused(host)) throw refusal(host);
  const response = await respond(url, options);
  try {
    const type = response.headers["content-type"] ?? "";
    return {
      status: response.statusCode ?? 0,
      mediaType: (type.split(";")[0] ?? "").trim().toLowerCase(),
      charset: /charset="?([\w.:-]+)/i.exec(type)?.[1] ?? "utf-8",
      location: response.headers.location,
      body: await read(decoded(response), options.maxBytes),
    };
  } finally {
    response.destroy();
  }
}

function respond(url: URL, { isRefused, signal }: PageRequest): Promise<IncomingMessage> {
  const request = url.protocol === "https:" ? requestSecure : requestPlain;
  const options: RequestOptions = {
    // A connection that is used again would not be judged again.
    agent: false,
    lookup: judgedLookup(isRefused),
    signal,
    headers: { accept: "text/html, text/markdown, text/plain, application/json;q=0.9, */*;q=0.1", "accept-encoding": "gzip, deflate, br", "user-agent": "throughline-fetch" },
  };
  return new Promise((resolve, reject) => {
    request(url, options, resolve).on("error", reject).end();
  });
}

function judgedLookup(isRefused: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, "");
        return;
      }
      const refused = addresses.find(({ address }) => isRefused(address));
      const [first] = addresses;
      if (refused !== undefined || first === undefined) callback(refusal(hostname), "");
      else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

function refusal(host: string): FetchRefusedError {
  return new FetchRefusedError(`${host} is an address of this machine or of its network, which is not fetched. Use a public address, or a command if you may run one.`);
}

function decoded(response: IncomingMessage): Readable {
  switch (response.headers["content-encoding"]) {
    case "gzip":
    case "x-gzip":
      return response.pipe(createGunzip());
    case "deflate":
      return response.pipe(createInflate());
    case "br":
      return response.pipe(createBrotliDecompress());
    default:
      return response;
  }
}

/** Counted when it is unpacked: a small answer may hold a large one. */
async function read(stream: Readable, maxBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of stream as AsyncIterable<Uint8Array>) {
    size += piece.length;
    if (size > maxBytes) throw new FetchRefusedError(`The page is larger than ${maxBytes} bytes. Fetch a smaller one, e.g. a part of it or its source.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
