import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createSandbox, type Sandbox, type SandboxOptions, type V1Application } from '../index.ts';

/** Fixed start time, so that seeded dates are predictable. */
export const NOON = Date.UTC(2026, 10, 21, 12);

export const APPLICATIONS: readonly V1Application[] = [
  {
    name: 'website',
    active: true,
    keys: [
      { name: 'write', key: 'write-key', access: 'read/write' },
      { name: 'read', key: 'read-key', access: 'read-only' },
    ],
  },
  {
    name: 'old site',
    active: false,
    keys: [{ name: 'write', key: 'old-key', access: 'read/write' }],
  },
];

/** A response with its body parsed: JSON if the content type says so, otherwise text. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface SandboxFixture {
  readonly sandbox: Sandbox;
  /** Sends a request with the bearer key. With a body, the default method is POST. */
  readonly request: (path: string, body?: unknown, init?: RequestInit) => Promise<TestResponse>;
  /** Sends a request to the basic-key interface with its three headers. */
  readonly requestV1: (
    path: string,
    init?: RequestInit & { readonly key?: string; readonly body?: string },
  ) => Promise<TestResponse>;
  /** Sends a change to the basic-key interface, with the key that may write. */
  readonly changeV1: (method: string, path: string, body: object) => Promise<TestResponse>;
  /** Moves the system clock of the sandbox forward. */
  readonly advanceTime: (milliseconds: number) => void;
}

/** Opens a sandbox with a fixed clock and sends requests to it without sockets. */
export function openSandbox(options: Partial<SandboxOptions> = {}): SandboxFixture {
  let time = NOON;
  const sandbox = createSandbox({
    platformKey: 'key',
    v1: { organizationKey: 'organization', applications: APPLICATIONS },
    now: () => new Date(time),
    ...options,
  });
  const sendRequest = async (path: string, init: RequestInit): Promise<TestResponse> => {
    const response = await sandbox.fetch(
      new Request(path.startsWith('http') ? path : `http://127.0.0.1:4102${path}`, init),
    );
    const text = await response.text();
    const isJson = response.headers.get('Content-Type')?.startsWith('application/json') === true;
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? (JSON.parse(text) as unknown) : text,
    };
  };
  const requestV1: SandboxFixture['requestV1'] = (path, { key = 'read-key', ...init } = {}) =>
    sendRequest(path, {
      ...init,
      headers: {
        'Content-Type': 'application/json',
        'X-OrganizationKey': 'organization',
        Authorization: `Basic ${key}`,
        ...(init.headers as Record<string, string>),
      },
    });
  return {
    sandbox,
    request: (path, body, init = {}) =>
      sendRequest(path, {
        headers: { Authorization: 'Bearer key' },
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
        ...init,
      }),
    requestV1,
    changeV1: (method, path, body) =>
      requestV1(path, { method, key: 'write-key', body: JSON.stringify(body) }),
    advanceTime(milliseconds) {
      time += milliseconds;
    },
  };
}

/** Returns the path of a database in a folder that exists until the end of the test. */
export async function createDatabaseFile(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
  t.after(() => rm(folder, { recursive: true }));
  return join(folder, 'sandbox.sqlite');
}

export const fetchConsole = async ({ request }: SandboxFixture): Promise<string> =>
  String((await request('/', undefined, { headers: {} })).body);
export const getItems = ({ body }: TestResponse): Record<string, unknown>[] =>
  (body as { items: Record<string, unknown>[] }).items;
export const getList = ({ body }: TestResponse): Record<string, unknown>[] =>
  body as Record<string, unknown>[];
export const getMessage = ({ body }: TestResponse): string => (body as { message: string }).message;
