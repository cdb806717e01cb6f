import { ACTION_ROUTES, type ActionName } from '../admin/actions/action-routes.ts';
import type { ActionInput, ActionOutput } from '../admin/actions/staff-actions.ts';

type StreamedActionName = 'donations.export' | 'receipts.export' | 'reconcile';
type LineOf<Name extends StreamedActionName> =
  ActionOutput<Name> extends AsyncIterable<infer Line extends { readonly kind: string }>
    ? Line
    : never;

/** Thrown if the configuration has no admin listener, or no server responds at its URL. */
export class AdminUnavailableError extends Error {
  override readonly name = 'AdminUnavailableError';
}

/**
 * Performs an action on the running server with the given configuration, and returns its output.
 * @throws {Error} if the server is unreachable or rejects the request.
 */
export async function callServer<Name extends ActionName>(
  configFile: string,
  name: Name,
  input: ActionInput<Name>,
): Promise<ActionOutput<Name>> {
  const response = await sendRequest(configFile, name, input);
  return parseBodyOrThrow<ActionOutput<Name> & object>(response);
}

/**
 * Performs an action on the running server, and yields the lines of its output.
 * @throws {Error} if the server rejects the request, or if the last line is not of the kind `end`.
 */
export async function* streamLines<Name extends StreamedActionName>(
  configFile: string,
  name: Name,
  input: ActionInput<Name>,
): AsyncGenerator<LineOf<Name>, undefined> {
  const response = await sendRequest(configFile, name, input);
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

async function sendRequest(configFile: string, name: ActionName, input: object): Promise<Response> {
  const [{ loadConfiguration }, { readSecret }, { getAdminUrl }] = await Promise.all([
    import('../config/load-configuration.ts'),
    import('../config/read-secrets.ts'),
    import('../diagnostics/admin.ts'),
  ]);
  const { admin } = await loadConfiguration(configFile);
  if (!admin)
    throw new AdminUnavailableError(
      `This command requires an admin listener, but ${configFile} does not configure one. Add ` +
        '"admin": { "port": 4103 } to the file and restart the server.',
    );
  const apiToken = process.env.DONATION_FORM_TOKEN;
  const key = apiToken ?? (admin.key && readSecret(admin.key, 'admin.key', process.env));
  const serverUrl = getAdminUrl(admin);
  const { method, path, body } = buildRequest(name, input);
  const response = await fetch(serverUrl + path, {
    method,
    headers: {
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    redirect: 'error',
    ...(body && { body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    throw new AdminUnavailableError(
      `No server is responding at ${serverUrl}. Start the server with the same configuration: ` +
        `donation-form serve --config ${configFile}`,
      { cause },
    );
  });
  if (response.status === 401 && key !== undefined)
    throw new Error(
      apiToken === undefined
        ? `The server at ${serverUrl} rejected the key that admin.key in ${configFile} ` +
            'specifies. If the key has changed, load the new one into this shell, and restart the ' +
            'server.'
        : `The server at ${serverUrl} rejected the API token in DONATION_FORM_TOKEN, because it is ` +
            'wrong or revoked. Create another on the staff page.',
    );
  return response;
}

/** Puts an action's input into the path, the query, and the body of a request. */
function buildRequest(name: ActionName, input: object) {
  const { method, path: pattern } = ACTION_ROUTES[name];
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const path = pattern.replace(/:(\w+)/g, (_, field: string) => {
    const value = String(rest.get(field));
    rest.delete(field);
    return encodeURIComponent(value);
  });
  if (method === 'POST') return { method, path, body: Object.fromEntries(rest) };
  const query = new URLSearchParams([...rest] as [string, string][]);
  return { method, path: `${path}?${query}` };
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

/** @throws {Error} with the server's message if the request failed. */
async function parseBodyOrThrow<Body extends object>(response: Response): Promise<Body> {
  const body = (await response.json()) as { readonly message: string } | Body;
  if ('message' in body) throw new Error(body.message);
  return body;
}
