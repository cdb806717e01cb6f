import { ACTION_ROUTES, type ActionName } from '../admin/actions/action-routes.ts';
import type { ActionInput, ActionOutput } from '../admin/actions/staff-actions.ts';

type StreamedActionName = 'donations.export' | 'reconcile';
type LineOf<Name extends StreamedActionName> =
  ActionOutput<Name> extends AsyncIterable<infer Line extends { readonly kind: string }>
    ? Line
    : never;

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
    const [{ loadConfiguration }, { readSecret }, { getAdminUrl }] = await Promise.all([
      import('../config/load-configuration.ts'),
      import('../config/read-secrets.ts'),
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

  /** Performs an action and returns its output. */
  async perform<Name extends ActionName>(
    name: Name,
    input: ActionInput<Name>,
  ): Promise<ActionOutput<Name>> {
    return parseBodyOrThrow<ActionOutput<Name> & object>(await this.#sendRequest(name, input));
  }

  /**
   * Performs an action and yields the lines of its output.
   * @throws {Error} if the response is incomplete. A complete response ends with a line of the kind
   *   `end`.
   */
  async *iterateLines<Name extends StreamedActionName>(
    name: Name,
    input: ActionInput<Name>,
  ): AsyncGenerator<LineOf<Name>> {
    const response = await this.#sendRequest(name, input);
    if (!response.ok || !response.body) await parseBodyOrThrow(response);
    // The tests compile this file with DOM types, which define a different stream type than Node.
    const body: unknown = response.body;
    let lastKind = '';
    for await (const text of splitLines(body as AsyncIterable<Uint8Array>)) {
      const line = JSON.parse(text) as Awaited<LineOf<Name>>;
      lastKind = line.kind;
      yield line;
    }
    if (lastKind !== 'end')
      throw new Error(
        'The server stopped before the output was complete. Discard the output and check the ' +
          "server's log.",
      );
  }

  async #sendRequest(name: ActionName, input: object): Promise<Response> {
    const { method, url, body } = buildRequest(name, input);
    const response = await fetch(this.#url + url, {
      method,
      headers: {
        ...(this.#key !== undefined && { Authorization: `Bearer ${this.#key}` }),
        ...(body && { 'Content-Type': 'application/json' }),
      },
      redirect: 'error',
      ...(body && { body: JSON.stringify(body) }),
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

/** Puts an action's input into the path, the query, and the body of a request. */
function buildRequest(
  name: ActionName,
  input: object,
): { readonly method: string; readonly url: string; readonly body?: object } {
  const { method, path } = ACTION_ROUTES[name];
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const url = path.replace(/:(\w+)/g, (_, field: string) => {
    const value = String(rest.get(field));
    rest.delete(field);
    return encodeURIComponent(value);
  });
  if (method === 'POST') return { method, url, body: Object.fromEntries(rest) };
  const query = new URLSearchParams([...rest] as [string, string][]);
  return { method, url: `${url}?${query}` };
}

/**
 * Yields the lines of a UTF-8 stream, separated by line feeds. `node:readline` would also end a
 * line at U+2028, a character that JSON strings can contain.
 */
async function* splitLines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
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
