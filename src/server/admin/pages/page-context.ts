import type { Context } from 'hono';
import { isSame } from '../../lib/hash.ts';
import type { Connection } from '../../http/context.ts';
import { csrfOf, type Session } from './sessions.ts';
import type { Visit } from '../views/layout.ts';

/** What every address of the operator's page knows. */
export interface PageEnv {
  Bindings: Connection;
  Variables: {
    /** The cookie's token. */
    token: string;
    visit: Visit;
    session: Session;
    /** What a form sent. */
    fields: Readonly<Record<string, string>>;
  };
}
export type PageContext = Context<PageEnv>;

/** Whether an order was made by a page of this very session. @param csrf what the order carries. */
export function isOwnOrder(c: PageContext, csrf: string): boolean {
  return (
    (c.req.header('Sec-Fetch-Site') ?? 'same-origin') === 'same-origin' &&
    isSame(csrf, csrfOf(c.get('token')))
  );
}

/** The headers of a page. @param policy its Content-Security-Policy. */
export function headersWith(policy: string): Record<string, string> {
  return {
    'Content-Security-Policy': policy,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
  };
}
