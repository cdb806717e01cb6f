import type { Hono } from 'hono';
import { Problem } from '../../lib/problem.ts';
import { answerWith, publicBody } from '../../lib/cached-response.ts';
import { IMMUTABLE, embedOf, type ScriptFiles } from '../embed-assets.ts';
import type { AssetArchive } from '../asset-archive.ts';
import { packageVersion } from '../../lib/package-file.ts';
import { newRoutes, allowOnlyMethods, type RouteContext, type RouteEnv } from '../context.ts';

const FOR_ALL_SITES = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};
const FIVE_MINUTES = 'public, max-age=300';

/** The scripts that pages embed, and what they need to pin them. */
export function scriptRoutes({
  scripts,
  assetArchive,
}: {
  readonly scripts: ScriptFiles;
  readonly assetArchive: AssetArchive;
}): Hono<RouteEnv> {
  const app = newRoutes();

  const answerFile = async (c: RouteContext, name: string): Promise<Response> => {
    const isImmutable = IMMUTABLE.test(name);
    const file =
      (await scripts()).get(name) ?? (isImmutable ? await assetArchive.find(name) : undefined);
    if (!file)
      throw new Problem(
        'not-found',
        `There is no ${name} here. Reload the page: it asks for a part of an earlier release.`,
      );
    return answerWith(c, file, {
      'Content-Type': 'text/javascript; charset=utf-8',
      ...FOR_ALL_SITES,
      'Cache-Control': isImmutable ? 'public, max-age=31536000, immutable' : FIVE_MINUTES,
    });
  };

  app.get(
    '/:name{(donation-form(\\.[\\w-]+)?|donation-button|donation-goal|attribution|analytics)\\.js}',
    (c) => answerFile(c, c.req.param('name')),
  );

  // A script finds its late parts and its endpoint from where it stands: from a channel it is led
  // to its one place. Those that have neither find their own tag by the address that stands in it.
  app.get('/:channel{v\\d+}/:name{[\\w-]+\\.js}', async (c) => {
    const { channel, name } = c.req.param();
    const version = packageVersion();
    const served = `v${version.split('.')[0]!}`;
    if (channel !== served)
      throw new Problem(
        'not-found',
        `This endpoint serves version ${version}, so its channel is ${served} and not ${channel}. Take ${served}/${name}, or an endpoint of the version that the page needs.`,
      );
    if (name === 'analytics.js' || name === 'attribution.js') return answerFile(c, name);
    return c.body(null, 302, {
      Location: `../${name}`,
      ...FOR_ALL_SITES,
      'Cache-Control': FIVE_MINUTES,
    });
  });

  app.get('/embed.json', async (c) => {
    const embed = embedOf(await scripts());
    if (!embed) throw new Problem('not-found', 'The script is not built: npm run build.');
    return answerWith(c, publicBody(JSON.stringify(embed)), {
      'Content-Type': 'application/json',
      ...FOR_ALL_SITES,
      'Cache-Control': 'no-cache',
    });
  });

  allowOnlyMethods(app, '/embed.json');
  return app;
}
