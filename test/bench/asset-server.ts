import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync } from 'node:zlib';

const CONTENT_TYPES = { js: 'text/javascript', css: 'text/css' } as const;

interface Asset {
  readonly contentType: string;
  readonly body: Buffer;
}

/** Serves the baselines, compressed with brotli, and holds requests of pages that wait. */
export class AssetServer {
  readonly url: string;
  /** URL of requests that get no response until they are released. */
  readonly gate: string;
  readonly #server: Server;
  readonly #assets: Map<string, Asset>;
  readonly #gate: Gate;

  private constructor(server: Server, assets: Map<string, Asset>, gate: Gate) {
    const { port } = server.address() as AddressInfo;
    this.#server = server;
    this.#assets = assets;
    this.#gate = gate;
    this.url = `http://127.0.0.1:${port}`;
    this.gate = `${this.url}/gate`;
  }

  static async open(): Promise<AssetServer> {
    const assets = new Map<string, Asset>();
    const gate = new Gate();
    const server = createServer(({ url = '/' }, response) => {
      response.setHeader('Access-Control-Allow-Origin', '*');
      const asset = assets.get(url);
      if (url === '/gate') gate.hold(response);
      else if (asset)
        response
          .writeHead(200, { 'Content-Type': asset.contentType, 'Content-Encoding': 'br' })
          .end(asset.body);
      else response.writeHead(404).end();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new AssetServer(server, assets, gate);
  }

  /** Adds a file and returns its URL. */
  addAsset(name: string, type: keyof typeof CONTENT_TYPES, text: string): string {
    const path = `/${name}.${type}`;
    this.#assets.set(path, {
      contentType: `${CONTENT_TYPES[type]}; charset=utf-8`,
      body: brotliCompressSync(text),
    });
    return this.url + path;
  }

  /** Waits for the next request at the gate. @returns a function that releases it. */
  waitAtGate(): Promise<() => void> {
    return this.#gate.waitForRequest();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** Passes each held request to a caller that waits for it. */
class Gate {
  readonly #held: (() => void)[] = [];
  readonly #waiting: ((release: () => void) => void)[] = [];

  waitForRequest(): Promise<() => void> {
    const release = this.#held.shift();
    if (release) return Promise.resolve(release);
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  hold(response: ServerResponse): void {
    const release = (): void => {
      response.end();
    };
    const resolve = this.#waiting.shift();
    if (resolve) resolve(release);
    else this.#held.push(release);
  }
}
