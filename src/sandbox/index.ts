import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Hono } from 'hono';
import { platform } from './platform.ts';
import { processor } from './processor.ts';
import { SandboxStore } from './store.ts';

export interface SandboxOptions {
  /** The bearer key that the platform accepts. */
  readonly platformKey: string;
  /** The key that the card processor accepts from a server. */
  readonly secretKey: string;
  /** The key that the card frame is opened with. */
  readonly publicKey?: string;
  /** An SQLite file; without one, all is kept in memory. */
  readonly file?: string;
  /** The platform's calls an hour. */
  readonly hourlyLimit?: number;
  readonly now?: () => Date;
}

export interface Sandbox {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  readonly close: () => void;
}

export const SANDBOX_PUBLIC_KEY = 'pk_sandbox';

/** A fundraising platform and a card processor to try things against: no network, no account, no money. */
export function createSandbox({ platformKey, secretKey, publicKey = SANDBOX_PUBLIC_KEY, file, hourlyLimit = 1_500, now = () => new Date() }: SandboxOptions): Sandbox {
  const store = new SandboxStore(file);
  const app = new Hono()
    .get('/', (c) => c.text(`A sandbox: a fundraising platform and a card processor, emulated.
No money moves, and nothing here reaches anybody.

The platform's calls need the header "Authorization: Bearer <key>":
  GET  /api/campaign/list?skip=0&take=20
  POST /api/activity/list   {"skip": 0, "take": 20}
`))
    .route('/processor', processor({ store, publicKey, secretKey, frameScript }))
    .route('/', platform({ store, apiKey: platformKey, hourlyLimit, now }));
  return { fetch: app.fetch, close: () => store.close() };
}

function frameScript(): Promise<string> {
  return readFile(fileURLToPath(import.meta.resolve('donation-form/card-frame.js')), 'utf8');
}
