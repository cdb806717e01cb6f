import { getPublicAdminUrl } from '../../diagnostics/admin.ts';
import { IdentityRepository } from '../../staff/identity-repository.ts';
import { PasskeyRepository } from '../../staff/passkey-repository.ts';
import type { AdminContext } from '../admin-context.ts';
import { OpenIdConnect } from './openid-connect.ts';
import { Passkeys } from './passkeys.ts';
import { SessionRepository } from './sessions.ts';
import { SignInLimits } from './sign-in-limits.ts';
import { SignInLinks } from './sign-in-links.ts';

/** How the sign-in page lets people sign in. */
export interface SignInMethods {
  /** False until the first person exists: the admin key opens the pages. */
  readonly hasPeople: boolean;
  readonly hasMail: boolean;
  readonly hasPasskeys: boolean;
  /** Of the identity provider, if there is one. */
  readonly providerName?: string | undefined;
}

export type SignInServices = ReturnType<typeof createSignInServices>;

export function createSignInServices(context: AdminContext, key: string) {
  const { database, now, oneTimeTokens, staff, staffMail } = context;
  const adminUrl = getPublicAdminUrl(context.configuration())!;
  const passkeyRepository = new PasskeyRepository(database);
  const passkeys = new Passkeys(passkeyRepository, oneTimeTokens, adminUrl);
  const { identityProvider } = context;
  const openIdConnect = identityProvider && new OpenIdConnect(identityProvider, context, adminUrl);
  return {
    adminOrigin: new URL(adminUrl).origin,
    sessions: new SessionRepository(database, key, now),
    links: new SignInLinks(context, key, adminUrl),
    limits: new SignInLimits(database, key),
    passkeys,
    passkeyRepository,
    openIdConnect,
    identities: new IdentityRepository(database),
    describeMethods: async (): Promise<SignInMethods> => ({
      hasPeople: await staff.hasEverHadPeople(),
      hasMail: staffMail.isAvailable,
      hasPasskeys: passkeys.isAvailable,
      providerName: openIdConnect?.provider.name,
    }),
  };
}
