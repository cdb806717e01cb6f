const MINUTE = 60_000;
/** Validity of links that staff send by mail or copy, in milliseconds. */
export const INVITATION_LIFETIME = 3 * 24 * 60 * MINUTE;
/** Validity of links that the command prints, in milliseconds. */
export const SHELL_LINK_LIFETIME = 30 * MINUTE;
export const SETUP_LINK_LIFETIME = 15 * MINUTE;

/** @param adminUrl URL of the admin pages. */
export function buildSignInUrl(adminUrl: string, token: string): string {
  return `${adminUrl.replace(/\/$/, '')}/sign-in/link?token=${token}`;
}
