import {
  createSandbox,
  type Sandbox,
  type SandboxOptions,
  type V1Application,
} from '../../src/sandbox/index.ts';

/** An ordinary moment, so that seeded dates are known. */
export const NOON = Date.UTC(2026, 10, 21, 12);

export const applications: readonly V1Application[] = [
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

/** An answer with its body read: JSON where it is JSON, text otherwise. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface Opened {
  readonly sandbox: Sandbox;
  /** Asks with the bearer key; a body makes it a POST unless a method is named. */
  readonly ask: (path: string, body?: unknown, init?: RequestInit) => Promise<Answer>;
  /** Asks the basic-key interface, with its three headers. */
  readonly v1: (
    path: string,
    init?: RequestInit & { readonly key?: string; readonly body?: string },
  ) => Promise<Answer>;
  /** Lets time pass. */
  readonly pass: (milliseconds: number) => void;
}

/** A sandbox on this machine, at noon of an ordinary day, joined without sockets. */
export function openSandbox(options: Partial<SandboxOptions> = {}): Opened {
  let time = NOON;
  const sandbox = createSandbox({
    platformKey: 'key',
    secretKey: 'secret',
    v1: { organizationKey: 'organization', applications },
    now: () => new Date(time),
    ...options,
  });
  const send = async (path: string, init: RequestInit): Promise<Answer> => {
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
  return {
    sandbox,
    ask: (path, body, init = {}) =>
      send(path, {
        headers: { Authorization: 'Bearer key' },
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
        ...init,
      }),
    v1: (path, { key = 'read-key', ...init } = {}) =>
      send(path, {
        ...init,
        headers: {
          'Content-Type': 'application/json',
          'X-OrganizationKey': 'organization',
          Authorization: `Basic ${key}`,
          ...(init.headers as Record<string, string>),
        },
      }),
    pass(milliseconds) {
      time += milliseconds;
    },
  };
}

export const itemsOf = ({ body }: Answer): Record<string, unknown>[] =>
  (body as { items: Record<string, unknown>[] }).items;
export const listOf = ({ body }: Answer): Record<string, unknown>[] =>
  body as Record<string, unknown>[];
export const messageOf = ({ body }: Answer): string => (body as { message: string }).message;
