import {
  deriveCsrfToken,
  generateToken,
  hashBrowserToken,
} from '../src/server/admin/access/sessions.ts';
import type { Database } from '../src/server/database/database.ts';
import { OneTimeTokens } from '../src/server/staff/one-time-tokens.ts';
import { ALL_ORGANIZATIONS } from '../src/server/staff/roles.ts';
import { buildStaffLink } from '../src/server/staff/staff-links.ts';
import { StaffRepository } from '../src/server/staff/staff-repository.ts';
import type { StaffMember } from './staff.ts';

/** Validity of the links, in milliseconds. They are used at once. */
const LINK_LIFETIME = 60_000;

/** Database and origin of the admin pages. */
export interface StaffServer {
  readonly database: Database;
  readonly origin: string;
}

/** Adds people who are not in the database yet. */
export async function addStaff(database: Database, people: readonly StaffMember[]): Promise<void> {
  const staff = new StaffRepository(database);
  for (const { name, email, role } of people)
    await staff.addPerson({ name, email }, { organization: ALL_ORGANIZATIONS, roles: [role] });
}

/**
 * Signs a person in to the admin pages, as a link from a mail does, and ends the session that the
 * browser had as somebody else. Adds a person who is missing or was removed.
 * @param cookie the browser's `Cookie` header.
 * @returns the redirect to the admin pages, with the session's cookie.
 * @throws {Error} if the admin pages reject the link.
 */
export async function signIn(
  { database, origin }: StaffServer,
  member: StaffMember,
  { cookie = '', returnTo = '/' }: { readonly cookie?: string; readonly returnTo?: string } = {},
): Promise<Response> {
  const browserToken = /(?:^|; )admin=([\w-]+)/.exec(cookie)?.[1] ?? generateToken();
  await addStaff(database, [member]);
  const person = await new StaffRepository(database).findByEmail(member.email);
  const token = await new OneTimeTokens(database).create({
    purpose: 'sign-in',
    person: person?.id,
    data: { browser: hashBrowserToken(browserToken), code: '', returnTo },
    lifetime: LINK_LIFETIME,
  });
  const response = await fetch(buildStaffLink(origin, 'sign-in', token), {
    method: 'POST',
    redirect: 'manual',
    headers: { Cookie: `admin=${browserToken}` },
    body: new URLSearchParams({ csrf: deriveCsrfToken(browserToken) }),
  });
  if (response.status !== 303)
    throw new Error(
      `${origin} rejected the sign-in of ${member.email} with status ${response.status}.`,
    );
  const headers = new Headers({ Location: `${origin}${response.headers.get('Location') ?? '/'}` });
  for (const value of response.headers.getSetCookie()) headers.append('Set-Cookie', value);
  return new Response(undefined, { status: 303, headers });
}
