import type { Hono } from 'hono';
import { findLanguage } from '@donation-form/core/i18n';
import type { DonationRepository } from '../../donations/donation-repository.ts';
import { Problem } from '../../lib/problem.ts';
import type { Organizations } from '../../organizations/organizations.ts';
import { createRouter, type RouteContext, type RouteEnv } from '../context.ts';
import type { AssetLoader } from '../embed-assets.ts';
import { type EmbeddedForm, EmbeddedFormScripts } from '../embedded-form.ts';
import { sendPublicBody } from '../send-public-body.ts';
import { CROSS_ORIGIN_HEADERS, FIVE_MINUTES } from './scripts.ts';

export function createEmbeddedFormRoutes({
  organizations,
  repository,
  loadAssets,
}: {
  readonly organizations: Organizations;
  readonly repository: DonationRepository;
  readonly loadAssets: AssetLoader;
}): Hono<RouteEnv> {
  const app = createRouter();
  const scripts = new EmbeddedFormScripts();

  app.get('/embed/:file{.+\\.js}', async (c) => {
    const script = (await loadAssets()).get('donation-form.js');
    if (!script)
      throw new Problem('not-found', 'The script has not been built. Run npm run build.');
    const embedded = await findEmbeddedForm(c, c.req.param('file').slice(0, -'.js'.length));
    const response = await sendPublicBody(c, scripts.getScript(script.text, embedded), {
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

  return app;
}
