import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { createWorkspaceTools, type FetchOptions } from "throughline/tools/workspace";
import { privateAddressTest } from "../../../src/tools/workspace/fetch/private-addresses.ts";
import { call, type Results } from "./workspace-under-test.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A server on this machine, and the requests that it got. */
async function serve(handler: Handler): Promise<{ origin: string; port: number; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A server on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, port, requests };
}

const allow = [{ permission: "*", action: "allow" as const }];

const fetched = (inputs: readonly Record<string, unknown>[], options: FetchOptions = { allowPrivateAddresses: true }): Promise<Results> =>
  call("/tmp", inputs.map((input) => ["fetch", input] as const), { permissions: allow, workspace: { fetch: options } });

const html: Handler = (_, response) => response.setHeader("content-type", "text/html; charset=utf-8").end("<html><head><title>t</title><style>x{}</style></head><body><h1>Größe</h1><script>evil()</script><p>One &amp; <a href='/two'>two</a></p></body></html>");

test("a page comes as Markdown, text or HTML", async () => {
  const { origin } = await serve(html);
  const { results } = await fetched([{ url: origin }, { url: origin, format: "text" }, { url: origin, format: "html" }]);
  expect(results[0]).toBe("# Größe\n\nOne & [two](/two)");
  expect(results[1]).toBe("Größe\nOne & two");
  expect(results[2]).toContain("<script>evil()</script>");
});

test("what is no HTML comes as it is, unpacked; what is no text is refused", async () => {
  const { origin } = await serve((request, response) => {
    if (request.url === "/json") response.setHeader("content-type", "application/json").setHeader("content-encoding", "gzip").end(gzipSync('{"a": 1}'));
    else response.setHeader("content-type", "image/png").end("x");
  });
  const { results } = await fetched([{ url: `${origin}/json` }, { url: `${origin}/image` }]);
  expect(results[0]).toBe('{"a": 1}');
  expect(results[1]).toMatch(/^error: .*image\/png, and no text/);
});

test("too much is refused, also where a small answer holds it", async () => {
  const { origin } = await serve((request, response) => {
    response.setHeader("content-type", "text/plain");
    if (request.url === "/packed") response.setHeader("content-encoding", "gzip").end(gzipSync("x".repeat(1_000_000)));
    else response.end("x".repeat(10_001));
  });
  const { results } = await fetched([{ url: origin }, { url: `${origin}/packed` }], { allowPrivateAddresses: true, maxBytes: 10_000 });
  for (const result of results) expect(result).toMatch(/larger than 10000 bytes/);
});

test("a server that does not answer, or not to the end, is not waited for", async () => {
  const { origin } = await serve((request, response) => {
    if (request.url === "/half") response.setHeader("content-type", "text/plain").write("half");
  });
  const { results } = await fetched([{ url: origin, timeout: 60 }, { url: `${origin}/half`, timeout: 60 }]);
  for (const result of results) expect(result).toMatch(/did not answer in full within 60 ms/);
});

describe("addresses", () => {
  test("of this machine and its network are refused, by whatever name, and nothing is sent", async () => {
    const { port, requests } = await serve(html);
    const urls = ["127.0.0.1", "localhost", "0x7f.1", "2130706433", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "169.254.169.254", "10.0.0.1", "[fe80::1]", "[fd00::1]"].map((host) => ({ url: `http://${host}:${port}/`, timeout: 5_000 }));
    const { results } = await fetched(urls, {});
    for (const [index, result] of results.entries()) expect(result, urls[index]?.url).toMatch(/of this machine or of its network/);
    expect(results).toHaveLength(urls.length);
    expect(requests).toEqual([]);
  });

  test("of the internet are none of them", () => {
    const isPrivate = privateAddressTest();
    for (const address of ["8.8.8.8", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "192.169.0.1"]) expect(isPrivate(address), address).toBe(false);
    for (const address of ["127.8.8.8", "172.31.255.255", "::ffff:8.8.8.8", "::1", "fe80::1%eth0", "224.0.0.1", "255.255.255.255", "64:ff9b::7f00:1"]) expect(isPrivate(address), address).toBe(true);
  });

  test.each([
    ["ftp://example.com/", /only https: and http:/],
    ["file:///etc/passwd", /only https: and http:/],
    ["http://user:secret@example.com/", /user name or a password/],
    ["example.com", /no whole address/],
  ])("%s is refused", async (url, reason) => {
    expect((await fetched([{ url }])).results[0]).toMatch(reason);
  });
});

test("a redirection is followed on its host, told of where it leads elsewhere, and ended where it goes in a circle", async () => {
  const { origin, port, requests } = await serve((request, response) => {
    if (request.url === "/moved") response.writeHead(302, { location: "/there" }).end();
    else if (request.url === "/away") response.writeHead(301, { location: `http://localhost:${port}/there` }).end();
    else if (request.url === "/file") response.writeHead(301, { location: "file:///etc/passwd" }).end();
    else if (request.url === "/circle") response.writeHead(307, { location: "/circle" }).end();
    else if (request.url === "/gone") response.writeHead(404).end();
    else response.setHeader("content-type", "text/plain").end("there");
  });
  const { results } = await fetched(["/moved", "/away", "/file", "/circle", "/gone"].map((path) => ({ url: origin + path })));
  expect(results[0]).toBe("there");
  expect(results[1]).toContain(`moved to another host: http://localhost:${port}/there`);
  expect(results[2]).toMatch(/only https: and http:/);
  expect(results[3]).toMatch(/redirects more than 5 times/);
  expect(results[4]).toMatch(/status 404/);
  expect(requests.filter((path) => path === "/circle")).toHaveLength(6);
});

test("it is off unless asked for, and asks for each address; always covers its host", async () => {
  expect(createWorkspaceTools({ root: "/tmp" })).not.toHaveProperty("fetch");
  const { origin } = await serve(html);
  const { asks } = await call("/tmp", [["fetch", { url: `${origin}/a#b` }], ["fetch", { url: `${origin}/c` }]], { workspace: { fetch: { allowPrivateAddresses: true } }, answer: () => ({ decision: "always" }) });
  expect(asks).toMatchObject([{ permission: "fetch", patterns: [`${origin}/a`], always: [`${origin}/*`] }]);
});
