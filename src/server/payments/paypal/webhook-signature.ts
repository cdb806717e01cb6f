import { createVerify, X509Certificate } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { readTextWithLimit } from '../../lib/response-limit.ts';
import {
  InvalidSignatureError,
  UnverifiedWebhookError,
  type WebhookContext,
} from '../payment-gateway.ts';
import type { PayPalClientOptions } from './client.ts';

/**
 * Milliseconds: the three days for which PayPal retries, and a margin. Replayed webhooks do no harm,
 * because the server fetches the current objects.
 */
const MAX_AGE = 3 * 86_400_000 + 3_600_000;
/** Maximum clock difference, in milliseconds. */
const MAX_CLOCK_SKEW = 300_000;

const CERTIFICATE_TIMEOUT = 5_000;
const MAX_CERTIFICATE_BYTES = 65_536;
/** Interval in which certificate fetches are counted, in milliseconds. */
const FETCH_INTERVAL = 60_000;
/** Unsuccessful fetches per client and interval. Forged webhooks can name many certificates. */
const MAX_FETCHES_PER_CLIENT = 5;
/** Clients per interval for which the server fetches certificates. */
const MAX_CLIENTS = 100;
/**
 * Pause between further fetches, in milliseconds. Each is for the most named URL: PayPal's webhooks
 * all name one URL, and a forged URL costs one fetch.
 */
const EXTRA_FETCH_PAUSE = 1_000;
const MAX_WAITING_URLS = 10_000;
/** Prefix of names in {@link WebhookContext.store}. */
const STORE_PREFIX = 'paypal-certificate ';

const CERTIFICATE_HOSTS: Readonly<Record<PayPalClientOptions['environment'], readonly string[]>> = {
  live: ['api.paypal.com', 'api-m.paypal.com'],
  sandbox: ['api.sandbox.paypal.com', 'api-m.sandbox.paypal.com'],
};

const CERTIFICATE_PATH = '/v1/notifications/certs/';
const CERTIFICATE_ID = /^[\w-]{1,100}$/;

/**
 * Verifies signatures with PayPal's certificates. Asking PayPal to verify each webhook would let
 * forged webhooks exhaust PayPal's rate limit.
 * @see https://developer.paypal.com/api/rest/webhooks/rest/#link-verifysignature
 */
export class SignatureVerifier {
  readonly #certificateFolders: readonly string[];
  readonly #fetch: typeof globalThis.fetch;
  readonly #now: () => number;
  readonly #certificates = new Map<string, Promise<X509Certificate>>();
  readonly #missingUrls = new Set<string>();
  /** Unsuccessful and unfinished fetches per client in the current interval. */
  readonly #fetchCounts = new Map<string | undefined, number>();
  #intervalEnd = 0;
  /** Webhooks that named each waiting URL. The most recently named URL is the last. */
  readonly #waitingUrls = new Map<string, number>();
  #nextExtraFetchAt = 0;

  constructor(options: Pick<PayPalClientOptions, 'environment' | 'apiUrl' | 'fetch' | 'now'>) {
    const { environment, apiUrl, fetch = globalThis.fetch, now = Date.now } = options;
    const hostUrls = CERTIFICATE_HOSTS[environment].map((host) => `https://${host}`);
    this.#certificateFolders = (apiUrl === undefined ? hostUrls : [apiUrl.replace(/\/$/, '')]).map(
      (url) => url + CERTIFICATE_PATH,
    );
    this.#fetch = fetch;
    this.#now = now;
  }

  /**
   * @throws {InvalidSignatureError} unless PayPal signed the webhook recently and for this webhook
   *   ID.
   * @throws {UnverifiedWebhookError} if the client's webhooks named too many unknown certificates.
   */
  async verifyWebhook(
    body: string,
    headers: Headers,
    webhookId: string | undefined,
    context?: WebhookContext,
  ): Promise<void> {
    if (webhookId === undefined)
      throw new InvalidSignatureError(
        'webhookId is not configured, so the server rejects webhooks. Set webhookId to the ID that ' +
          'PayPal shows for this webhook.',
      );
    const get = (name: string): string => headers.get(`PayPal-${name}`) ?? '';
    const [id, time] = [get('Transmission-Id'), get('Transmission-Time')];
    const age = this.#now() - Date.parse(time);
    if (!(age <= MAX_AGE && age >= -MAX_CLOCK_SKEW))
      throw new InvalidSignatureError(
        'The PayPal-Transmission-Time header is missing, invalid, in the future, or more than three ' +
          "days old. Check the server's clock.",
      );
    if (get('Auth-Algo') !== 'SHA256withRSA')
      throw new InvalidSignatureError('The PayPal-Auth-Algo header is not SHA256withRSA.');
    const certificate = await this.#getCertificate(get('Cert-Url'), context);
    if (!this.#isCurrent(certificate))
      throw new InvalidSignatureError(
        "PayPal's certificate has expired or is not valid yet. Check the server's clock.",
      );
    const isValid = createVerify('RSA-SHA256')
      .update(`${id}|${time}|${webhookId}|${crc32(body)}`)
      .verify(certificate.publicKey, get('Transmission-Sig'), 'base64');
    if (!isValid)
      throw new InvalidSignatureError(
        'The PayPal-Transmission-Sig header does not match this body and webhookId. Set webhookId ' +
          'to the ID that PayPal shows for this webhook.',
      );
  }

  async #getCertificate(url: string, context?: WebhookContext): Promise<X509Certificate> {
    const known = await this.#certificates.get(url);
    if (known && this.#isCurrent(known)) return known;
    this.#assertTrustedCertificateUrl(url);
    const stored = await context?.store.get(STORE_PREFIX + url);
    const certificate = stored === undefined ? undefined : new X509Certificate(stored);
    if (certificate && this.#isCurrent(certificate)) {
      this.#certificates.set(url, Promise.resolve(certificate));
      return certificate;
    }
    // Another client's webhook may have started a fetch in the meantime.
    const current = this.#certificates.get(url);
    if (current && !known) return current;
    this.#startInterval();
    if (this.#missingUrls.has(url)) throw createMissingCertificateError();
    const client = context?.client;
    const count = this.#fetchCounts.get(client) ?? 0;
    if (count < MAX_FETCHES_PER_CLIENT && (count > 0 || this.#fetchCounts.size < MAX_CLIENTS)) {
      this.#fetchCounts.set(client, count + 1);
      return this.#downloadCertificate(url, context, () => this.#uncountFetch(client));
    }
    const mostNamedUrl = this.#chooseUrlForExtraFetch(url);
    if (mostNamedUrl === url) return this.#downloadCertificate(url, context);
    if (mostNamedUrl !== undefined)
      void this.#downloadCertificate(mostNamedUrl, context).catch(() => undefined);
    throw new UnverifiedWebhookError(
      'The server has not fetched the certificate at the URL in the PayPal-Cert-Url header ' +
        'yet, because it fetches few certificates per minute. Send this webhook again later.',
    );
  }

  async #downloadCertificate(
    url: string,
    context: WebhookContext | undefined,
    onSuccess?: () => void,
  ): Promise<X509Certificate> {
    this.#waitingUrls.delete(url);
    const fetched = this.#fetchCertificate(url);
    this.#certificates.set(url, fetched);
    fetched.then(onSuccess, () => this.#certificates.delete(url));
    await context?.store.set(STORE_PREFIX + url, (await fetched).toString());
    return fetched;
  }

  #isCurrent({ validFrom, validTo }: X509Certificate): boolean {
    const now = this.#now();
    return Date.parse(validFrom) <= now && now <= Date.parse(validTo);
  }

  #startInterval(): void {
    const now = this.#now();
    if (now < this.#intervalEnd) return;
    this.#fetchCounts.clear();
    this.#missingUrls.clear();
    this.#intervalEnd = now + FETCH_INTERVAL;
  }

  #uncountFetch(client: string | undefined): void {
    const rest = (this.#fetchCounts.get(client) ?? 1) - 1;
    if (rest > 0) this.#fetchCounts.set(client, rest);
    else this.#fetchCounts.delete(client);
  }

  /** Counts a webhook that named `url`. Returns the URL to fetch now, if any. */
  #chooseUrlForExtraFetch(url: string): string | undefined {
    const count = (this.#waitingUrls.get(url) ?? 0) + 1;
    this.#waitingUrls.delete(url);
    this.#waitingUrls.set(url, count);
    if (this.#waitingUrls.size > MAX_WAITING_URLS)
      this.#waitingUrls.delete(this.#waitingUrls.keys().next().value!);
    const now = this.#now();
    if (now < this.#nextExtraFetchAt) return undefined;
    this.#nextExtraFetchAt = now + EXTRA_FETCH_PAUSE;
    return [...this.#waitingUrls].sort(([, a], [, b]) => b - a)[0]![0];
  }

  /**
   * A forged webhook can name any certificate. Compares URLs as text, so that each certificate has
   * only one cache entry.
   */
  #assertTrustedCertificateUrl(url: string): void {
    const isTrusted = this.#certificateFolders.some(
      (folder) => url.startsWith(folder) && CERTIFICATE_ID.test(url.slice(folder.length)),
    );
    if (!isTrusted)
      throw new InvalidSignatureError(
        'The PayPal-Cert-Url header is not the URL of a PayPal certificate.',
      );
  }

  async #fetchCertificate(url: string): Promise<X509Certificate> {
    const response = await this.#fetch(url, {
      redirect: 'error',
      signal: AbortSignal.timeout(CERTIFICATE_TIMEOUT),
    });
    if (!response.ok) {
      await response.body?.cancel();
      if (response.status === 404) {
        this.#missingUrls.add(url);
        throw createMissingCertificateError();
      }
      throw new Error(
        `PayPal responded to the request for the certificate with status ${response.status}`,
      );
    }
    return new X509Certificate(await readTextWithLimit(response, MAX_CERTIFICATE_BYTES));
  }
}

const createMissingCertificateError = (): InvalidSignatureError =>
  new InvalidSignatureError('PayPal has no certificate at the URL in the PayPal-Cert-Url header.');
