/**
 * Thrown if the configuration has no admin listener or if no server responds at the listener's URL.
 */
export class AdminUnavailableError extends Error {
  override readonly name = 'AdminUnavailableError';
}

/**
 * Calls a running server's admin API with the admin key from the configuration. All methods throw
 * an error if the server is unreachable or rejects the request.
 */
export class AdminClient {
  readonly #configFile: string;
  readonly #url: string;
  readonly #key: string | undefined;

  private constructor(configFile: string, url: string, key: string | undefined) {
    this.#configFile = configFile;
    this.#url = url;
    this.#key = key;
  }

  /**
   * Creates a client from a configuration file.
   * @throws {AdminUnavailableError} if the configuration has no admin listener.
   */
  static async createFromConfiguration(file: string): Promise<AdminClient> {
    const [{ loadConfiguration, readSecret }, { getAdminUrl }] = await Promise.all([
      import('../config/load-configuration.ts'),
      import('../diagnostics/admin.ts'),
    ]);
    const { admin } = await loadConfiguration(file);
    if (!admin)
      throw new AdminUnavailableError(
        `This command requires an admin listener, but ${file} does not configure one. Add ` +
          '"admin": { "port": 4103 } to the file and restart the server.',
      );
    const key = admin.key && readSecret(admin.key, 'admin.key', process.env);
    return new AdminClient(file, getAdminUrl(admin), key);
  }

  async getJson<Body extends object>(path: string): Promise<Body> {
    return parseBodyOrThrow<Body>(await this.#sendRequest(path));
  }

  async postJson<Body extends object>(path: string, body: object = {}): Promise<Body> {
    return parseBodyOrThrow<Body>(await this.#sendRequest(path, body));
  }

  /**
   * Sends a request and yields the lines of the response.
   * @throws {Error} if the response is incomplete. A complete response ends with a line of the kind
   *   `end`.
   */
  async *postAndIterateLines<Line extends { readonly kind: string }>(
    path: string,
    request: object,
  ): AsyncGenerator<Line> {
    const response = await this.#sendRequest(path, request);
    if (!response.ok || !response.body) await parseBodyOrThrow(response);
    // The tests compile this file with DOM types, which define a different stream type than Node.
    const body: unknown = response.body;
    let lastKind = '';
    for await (const text of iterateLines(body as AsyncIterable<Uint8Array>)) {
      const line = JSON.parse(text) as Line;
      lastKind = line.kind;
      yield line;
    }
    if (lastKind !== 'end')
      throw new Error(
        'The server stopped before the output was complete. Discard the output and check the ' +
          "server's log.",
      );
  }

  async #sendRequest(path: string, body?: object): Promise<Response> {
    const response = await fetch(this.#url + path, {
      headers: {
        ...(this.#key !== undefined && { Authorization: `Bearer ${this.#key}` }),
        ...(body && { 'Content-Type': 'application/json' }),
      },
      redirect: 'error',
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    }).catch((cause: unknown) => {
      throw new AdminUnavailableError(
        `No server is responding at ${this.#url}. Start the server with the same configuration: ` +
          `donation-form serve --config ${this.#configFile}`,
        { cause },
      );
    });
    if (response.status === 401 && this.#key !== undefined)
      throw new Error(
        `The server at ${this.#url} rejected the key that admin.key in ${this.#configFile} ` +
          'specifies. If the key has changed, load the new one into this shell, and restart the ' +
          'server.',
      );
    return response;
  }
}

/**
 * Yields the lines of a UTF-8 stream, separated by line feeds. `node:readline` would also end a
 * line at U+2028, a character that JSON strings can contain.
 */
async function* iterateLines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
}

/**
 * Parses a response's body.
 * @throws {Error} with the server's message if the request failed.
 */
async function parseBodyOrThrow<Body extends object>(response: Response): Promise<Body> {
  const body = (await response.json()) as { readonly message: string } | Body;
  if ('message' in body) throw new Error(body.message);
  return body;
}
