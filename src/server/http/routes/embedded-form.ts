import { findLanguage } from '@donation-form/core/i18n';
import type { FormDefinition } from '@donation-form/core/schemas';
import { STRIPE_JS_URL } from '@donation-form/core/url';
import { Problem } from '../../lib/problem.ts';
import { createPublicBody, type PublicBody } from '../../lib/public-body.ts';
import type { LocalizedDefinition } from '../../organizations/organization.ts';
import type { AppOptions, RouteContext, Router } from '../context.ts';
import { sendPublicBody } from '../send-public-body.ts';
import { CROSS_ORIGIN_HEADERS, FIVE_MINUTES } from './scripts.ts';

export function addEmbeddedFormRoutes(app: Router, options: AppOptions): void {
  const { organizations, repository, loadAssets } = options;
  const scripts = new EmbeddedFormScripts();

  app.get('/embed/:file{.+\\.js}', async (c) => {
    const assets = await loadAssets();
    const script = assets.get('donation-form.js');
    if (!script)
      throw new Problem('not-found', 'The script has not been built. Run npm run build.');
    const embedded = await findEmbeddedForm(c, c.req.param('file').slice(0, -'.js'.length));
    const chunk = [...assets.keys()].find((name) => STRIPE_CHUNK.test(name));
    const response = await sendPublicBody(c, scripts.getScript(script.text, embedded, chunk), {
      'Content-Type': 'text/javascript; charset=utf-8',
      ...CROSS_ORIGIN_HEADERS,
      'Cache-Control': FIVE_MINUTES,
    });
    response.headers.append('Vary', 'Origin');
    return response;
  });

  /** Returns `undefined` if `GET /form` would return an error, which the element then explains. */
  async function findEmbeddedForm(c: RouteContext, id: string): Promise<EmbeddedForm | undefined> {
    const registered = organizations.findForm(id);
    if (!registered) return undefined;
    const { form, organization } = registered;
    const origin = c.req.header('Origin');
    if (origin !== undefined && !organization.origins.has(origin)) return undefined;
    // Without a database, the form explains that the server does not work.
    const isAvailable = await repository.pauses.isPaused(organization.id).then(
      (isPaused) => !isPaused,
      () => false,
    );
    if (!isAvailable) return undefined;
    const language = findLanguage(c.req.query('language') ?? '') ?? 'en';
    return { localized: form[language], language };
  }
}

/** Each script needs about 80 kB with its compressed copies. */
const MAX_CACHED_SCRIPTS = 256;

/** Builds and caches `/embed/FORM.js`, which contains a definition and needs no further request. */
export class EmbeddedFormScripts {
  /** The least recently used script first. */
  readonly #scripts = new Map<LocalizedDefinition | undefined, PublicBody>();

  /**
   * @param script text of `donation-form.js`.
   * @param embedded definition in one language, or `undefined` for a script without one.
   * @param stripeChunk name of the script's chunk for Stripe's payment field.
   */
  getScript(script: string, embedded: EmbeddedForm | undefined, stripeChunk?: string): PublicBody {
    const key = embedded?.localized;
    const body =
      this.#scripts.get(key) ??
      createPublicBody(
        (embedded ? renderDefinition(embedded, stripeChunk) : '') + resolveFromParentFolder(script),
      );
    this.#scripts.delete(key);
    this.#scripts.set(key, body);
    const [leastRecentlyUsed] = this.#scripts.keys();
    if (this.#scripts.size > MAX_CACHED_SCRIPTS) this.#scripts.delete(leastRecentlyUsed);
    return body;
  }
}

export interface EmbeddedForm {
  readonly localized: LocalizedDefinition;
  /** As the form requests it. */
  readonly language: string;
}

/** The compile hint must come first. */
function renderDefinition(
  { localized: { definition, text, etag }, language }: EmbeddedForm,
  stripeChunk: string | undefined,
): string {
  const query = new URLSearchParams({ id: definition.id, language }).toString();
  const resolve = (path: string): string =>
    `new URL(${JSON.stringify(`../${path}`)},import.meta.url).href`;
  const stripeJs = findStripeJs(definition);
  const fieldFiles =
    stripeJs !== undefined && stripeChunk !== undefined
      ? `fieldFiles:{modulepreload:${resolve(stripeChunk)},preload:${JSON.stringify(stripeJs)}},`
      : '';
  return (
    '//# allFunctionsCalledOnLoad\n(globalThis[Symbol.for("donation-form definitions")]??={})' +
    `[${resolve(`form?${query}`)}]={definition:${text},${fieldFiles}etag:${JSON.stringify(etag)}};`
  );
}

const STRIPE_CHUNK = /^donation-form\.stripe-\w{8}\.js$/;

/** Returns the URL of Stripe.js if the form shows Stripe's field or wallet buttons at once. */
function findStripeJs({ payments }: FormDefinition): string | undefined {
  const stripe = payments.find(
    ({ provider, hasField, hasWallets }, index) =>
      provider === 'stripe' && ((hasField && index === 0) || hasWallets),
  );
  if (!stripe) return undefined;
  return stripe.options.scriptUrl ?? STRIPE_JS_URL;
}

/** The script is in a folder of its own. */
function resolveFromParentFolder(script: string): string {
  return script
    .replace('new URL(`.`,import.meta.url)', 'new URL(`..`,import.meta.url)')
    .replaceAll('`./', '`../');
}
