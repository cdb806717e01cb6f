import type { Context } from 'hono';
import { isEqualInConstantTime } from '../../lib/hash.ts';
import type { Actor } from '../../staff/actor.ts';
import type { ClientEnv } from '../access/client.ts';
import { deriveCsrfToken, type Session } from '../access/sessions.ts';
import type { ViewContext } from '../views/layout.ts';

/** A submitted form's fields, without the CSRF token. */
export type PageFields = Readonly<Record<string, string>>;

export interface PageEnv extends ClientEnv {
  Variables: ClientEnv['Variables'] & {
    token: string;
    /** Origin at which the staff open the pages. A proxy may change the request's host. */
    adminOrigin: string;
    context: ViewContext;
    session: Session;
    /** The signed-in person. */
    actor: Actor;
    fields: PageFields;
  };
}
export type AdminPageContext = Context<PageEnv>;

/** Returns true if a submission, with its CSRF token, came from a page of the same session. */
export function isSubmittedFromSameSession(c: AdminPageContext, csrf: string): boolean {
  const site = c.req.header('Sec-Fetch-Site');
  return (
    (site === undefined ? hasOwnOrigin(c) : site === 'same-origin') &&
    isEqualInConstantTime(csrf, deriveCsrfToken(c.get('token')))
  );
}

/** Browsers without `Sec-Fetch-Site`, as all of them are without HTTPS, send the origin of a form. */
function hasOwnOrigin(c: AdminPageContext): boolean {
  const origin = c.req.header('Origin');
  if (origin === undefined || origin === c.get('adminOrigin')) return true;
  return URL.parse(origin)?.host === new URL(c.req.url).host;
}

export function createPageHeaders(policy: string): Record<string, string> {
  return {
    'Content-Security-Policy': policy,
    'Cross-Origin-Opener-Policy': 'same-origin',
    // With `no-referrer`, browsers hide the origin of our own forms, too.
    'Referrer-Policy': 'same-origin',
  };
}

const PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  'img-src data:',
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
];
export const PAGE_HEADERS = createPageHeaders(PAGE_POLICY.join('; '));
/** For a page with the passkeys' script. */
export const PASSKEY_PAGE_HEADERS = createPageHeaders(
  [
    ...PAGE_POLICY,
    "script-src 'self'",
    "connect-src 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
);
/** For a page with frames, and the script that fits them. */
export const FRAMING_PAGE_HEADERS = createPageHeaders(
  [...PAGE_POLICY, "frame-src 'self'", "script-src 'self'"].join('; '),
);
