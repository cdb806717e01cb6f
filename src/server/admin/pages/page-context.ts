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
  return (
    (c.req.header('Sec-Fetch-Site') ?? 'same-origin') === 'same-origin' &&
    isEqualInConstantTime(csrf, deriveCsrfToken(c.get('token')))
  );
}

export function createPageHeaders(policy: string): Record<string, string> {
  return {
    'Content-Security-Policy': policy,
    'Cross-Origin-Opener-Policy': 'same-origin',
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
