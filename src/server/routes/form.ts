import type { Hono } from 'hono';
import { ignoredSettings } from '../../contract/ignored-settings.ts';
import { inLanguage, type Desks } from '../desks.ts';
import { hasTag } from '../entity-tag.ts';
import { LARGEST_REPORT, checkContentType, checkOrigin } from '../guard.ts';
import { readBody } from '../read-body.ts';
import type { Tally } from '../tally.ts';
import { atMost, newRoutes, onlyThese, type RouteEnv } from './route.ts';

/** What a form is, and what it ignored of its settings. */
export function formRoutes({ desks, tally }: { readonly desks: Desks; readonly tally: Tally }): Hono<RouteEnv> {
  const app = newRoutes();

  app.get('/form', (c) => {
    const { definition, etag } = inLanguage(desks.of(c.req.query('id')).form, c.req.query('language') ?? '');
    const headers = { 'Cache-Control': 'no-cache', ETag: etag };
    return hasTag(c.req.header('If-None-Match'), etag) ? c.body(null, 304, headers) : c.json(definition, 200, headers);
  });

  app.post('/ignored-settings', atMost(LARGEST_REPORT), async (c) => {
    checkOrigin(c.req.header('Origin'), desks.origins);
    checkContentType(c.req.header('Content-Type'));
    const report = readBody(await c.req.text().catch(() => ''), ignoredSettings);
    checkOrigin(c.req.header('Origin'), desks.of(report.form).organization.origins);
    tally.add(report);
    return c.body(null, 204);
  });

  onlyThese(app, '/form', '/ignored-settings');
  return app;
}
