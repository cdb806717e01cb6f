import type { OneTimeTokenPurpose } from '../database/schema.ts';

const MINUTE = 60_000;
/** Validity of links that staff send by mail or copy, in milliseconds. */
export const INVITATION_LIFETIME = 3 * 24 * 60 * MINUTE;
/** Validity of links that the command prints, in milliseconds. */
export const SHELL_LINK_LIFETIME = 30 * MINUTE;
export const SETUP_LINK_LIFETIME = 15 * MINUTE;

/** Purposes of tokens in links. */
export type StaffLinkPurpose = Extract<OneTimeTokenPurpose, 'sign-in' | 'invitation' | 'setup'>;

/** Paths of the pages that links open. */
export const STAFF_LINK_PATHS: Readonly<Record<StaffLinkPurpose, string>> = {
  'sign-in': '/sign-in/link',
  invitation: '/invitation',
  setup: '/setup',
};

/** @param adminUrl URL at which the staff open the admin pages. */
export function buildStaffLink(adminUrl: string, purpose: StaffLinkPurpose, token: string): string {
  return `${adminUrl}${STAFF_LINK_PATHS[purpose]}/${token}`;
}
