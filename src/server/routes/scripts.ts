import type { Hono } from 'hono';
import { hasTag } from '../entity-tag.ts';
import { Problem } from '../problem.ts';
import { embedOf, type ScriptFiles } from '../script.ts';
import { newRoutes, onlyThese, type RouteEnv } from './route.ts';

/** The scripts that pages embed, and what they need to pin them. */
export function scriptRoutes({ scripts }: { readonly scripts: ScriptFiles }): Hono<RouteEnv> {
  const app = newRoutes();

  app.get('/:name{(donation-form(\\.[\\w-]+)?|attribution)\\.js}', async (c) => {
    const name = c.req.param('name');
    const file = (await scripts()).get(name);
    if (!file) throw new Problem('not-found', `There is no ${name} here. Reload the page: it asks for a part of an earlier release.`);
    const headers = {
      'Content-Type': 'text/javascript; charset=utf-8', 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin', ETag: file.etag,
      'Cache-Control': /^[\w-]+\.js$/.test(name) ? 'public, max-age=300' : 'public, max-age=31536000, immutable',
    };
    return hasTag(c.req.header('If-None-Match'), file.etag) ? c.body(null, 304, headers) : c.body(file.text, 200, headers);
  });

  app.get('/embed.json', async (c) => {
    const embed = embedOf(await scripts());
    if (!embed) throw new Problem('not-found', 'The script is not built: npm run build.');
    return c.json(embed, 200, { 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'no-cache' });
  });

  onlyThese(app, '/embed.json');
  return app;
}
