import { isIP } from 'node:net';
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { OneTimeTokens } from '../../staff/one-time-tokens.ts';
import type { PasskeyRepository } from '../../staff/passkey-repository.ts';
import type { StaffPerson } from '../../staff/staff-repository.ts';
import { hashBrowserToken } from './sessions.ts';

/** In milliseconds. */
const CHALLENGE_LIFETIME = 300_000;

/**
 * EdDSA, ES256, and RS256 (COSE). The library's default asks Node for newer ones, which Node reports
 * as experimental on standard error.
 */
const ALGORITHMS = [-8, -7, -257];

/** Each challenge is for one of these. */
type Ceremony = 'registration' | 'authentication';

/** Registers and verifies passkeys. A challenge works once, in the browser that asked for it. */
export class Passkeys {
  readonly #repository: PasskeyRepository;
  readonly #tokens: OneTimeTokens;
  readonly #url: URL;

  /** @param adminUrl URL at which the staff open the admin pages. */
  constructor(repository: PasskeyRepository, tokens: OneTimeTokens, adminUrl: string) {
    this.#repository = repository;
    this.#tokens = tokens;
    this.#url = new URL(adminUrl);
  }

  /** False if browsers offer no passkeys at the URL: they need a domain, or `localhost`. */
  get isAvailable(): boolean {
    return isIP(this.#url.hostname.replace(/^\[|\]$/g, '')) === 0;
  }

  async createRegistrationOptions(
    { id, email, name }: Pick<StaffPerson, 'id' | 'email' | 'name'>,
    browserToken: string,
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const { generateRegistrationOptions } = await import('@simplewebauthn/server');
    const existing = await this.#repository.listPasskeys(id);
    return generateRegistrationOptions({
      rpName: 'Donations',
      rpID: this.#url.hostname,
      userID: new TextEncoder().encode(id),
      userName: email,
      userDisplayName: name,
      challenge: await this.#createChallenge('registration', browserToken),
      supportedAlgorithmIDs: ALGORITHMS,
      excludeCredentials: existing.map((passkey) => ({ id: passkey.id })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
  }

  /** @returns true if the passkey was added. */
  async addPasskey({
    person,
    name,
    response,
    browserToken,
  }: {
    readonly person: string;
    readonly name: string;
    readonly response: string;
    readonly browserToken: string;
  }): Promise<boolean> {
    const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
    const parsed = parseResponse(response);
    if (!parsed) return false;
    const { registrationInfo } = await verifyRegistrationResponse({
      response: parsed as RegistrationResponseJSON,
      supportedAlgorithmIDs: ALGORITHMS,
      ...this.#createExpectations('registration', browserToken),
    }).catch(() => ({ registrationInfo: undefined }));
    if (!registrationInfo) return false;
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    return this.#repository.addPasskey({
      id,
      person,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports: JSON.stringify(transports),
      name,
    });
  }

  /** Any of the browser's passkeys for this server: nobody enters an email first. */
  async createAuthenticationOptions(
    browserToken: string,
  ): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
    return generateAuthenticationOptions({
      rpID: this.#url.hostname,
      challenge: await this.#createChallenge('authentication', browserToken),
      userVerification: 'required',
    });
  }

  /** @returns the ID of the passkey's person, or `undefined` if the response is not valid. */
  async verifyPasskey(response: string, browserToken: string): Promise<string | undefined> {
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
    const parsed = parseResponse(response);
    const passkey = parsed && (await this.#repository.findPasskey(parsed.id));
    if (!passkey) return undefined;
    const result = await verifyAuthenticationResponse({
      response: parsed as AuthenticationResponseJSON,
      credential: {
        id: passkey.id,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.counter,
        transports: JSON.parse(passkey.transports) as AuthenticatorTransport[],
      },
      ...this.#createExpectations('authentication', browserToken),
    }).catch(() => undefined);
    if (!result?.verified) return undefined;
    await this.#repository.recordUse(passkey.id, result.authenticationInfo.newCounter);
    return passkey.person;
  }

  async #createChallenge(
    ceremony: Ceremony,
    browserToken: string,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const token = await this.#tokens.create({
      purpose: 'passkey',
      data: { ceremony, browser: hashBrowserToken(browserToken) },
      lifetime: CHALLENGE_LIFETIME,
    });
    return new Uint8Array(Buffer.from(token, 'base64url'));
  }

  #createExpectations(ceremony: Ceremony, browserToken: string) {
    return {
      expectedChallenge: async (challenge: string): Promise<boolean> => {
        const token = await this.#tokens.consume(challenge, 'passkey');
        const data = JSON.parse(token?.data ?? '{}') as { ceremony?: string; browser?: string };
        return data.ceremony === ceremony && data.browser === hashBrowserToken(browserToken);
      },
      expectedOrigin: this.#url.origin,
      expectedRPID: this.#url.hostname,
      requireUserVerification: true,
    };
  }
}

/** Checks only what the database needs; the library checks the rest. */
function parseResponse(json: string): { readonly id: string } | undefined {
  try {
    const parsed = JSON.parse(json) as { readonly id?: unknown } | null;
    return typeof parsed?.id === 'string' ? (parsed as { readonly id: string }) : undefined;
  } catch {
    return undefined;
  }
}
