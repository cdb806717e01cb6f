import { readPackageVersion } from '../../lib/package-file.ts';
import { Problem } from '../../lib/problem.ts';
import { createPublicBody } from '../../lib/public-body.ts';
import { type AppOptions, rejectOtherMethods, type RouteContext, type Router } from '../context.ts';
import {
  assertIsReleased,
  getEmbedValues,
  IMMUTABLE_ASSET_NAME,
  NOTICES_FILE,
  SCRIPT_NAME,
} from '../embed-assets.ts';
import { sendPublicBody } from '../send-public-body.ts';

export const CROSS_ORIGIN_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};
export const FIVE_MINUTES = 'public, max-age=300';

/** Add these routes last, because one of them runs for all paths that no earlier route handles. */
export function addScriptRoutes(
  app: Router,
  { loadAssets, assetArchive }: Pick<AppOptions, 'loadAssets' | 'assetArchive'>,
): void {
  const sendAsset = async (c: RouteContext, name: string): Promise<Response> => {
    const isImmutable = IMMUTABLE_ASSET_NAME.test(name);
    const file =
      (await loadAssets()).get(name) ??
      (isImmutable ? await assetArchive.findFile(name) : undefined);
    assertIsReleased(name, file);
    return sendPublicBody(c, file, {
      'Content-Type': 'text/javascript; charset=utf-8',
      ...CROSS_ORIGIN_HEADERS,
      'Cache-Control': isImmutable ? 'public, max-age=31536000, immutable' : FIVE_MINUTES,
    });
  };

  // Most scripts derive the URLs of their chunks and the endpoint from their own, so a channel such
  // as v1 redirects to it. analytics.js and attribution.js have no chunks and find their element by
  // its URL.
  const sendChannelAsset = async (
    c: RouteContext,
    channel: string,
    name: string,
  ): Promise<Response> => {
    const version = readPackageVersion();
    const servedChannel = `v${version.split('.')[0]!}`;
    if (channel !== servedChannel)
      throw new Problem(
        'not-found',
        `This server runs version ${version}, which has no ${channel} channel. Use ` +
          `${servedChannel}/${name}, or a server with the version that the page requires.`,
      );
    if (name === 'analytics.js' || name === 'attribution.js') return sendAsset(c, name);
    return c.body(null, 302, {
      Location: `../${name}`,
      ...CROSS_ORIGIN_HEADERS,
      'Cache-Control': FIVE_MINUTES,
    });
  };

  app.get(`/${NOTICES_FILE}`, async (c) => {
    const notices = (await loadAssets()).get(NOTICES_FILE);
    if (!notices)
      throw new Problem('not-found', `${NOTICES_FILE} has not been built. Run npm run build.`);
    return sendPublicBody(c, notices, {
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': FIVE_MINUTES,
    });
  });

  app.get('/embed.json', async (c) => {
    const embed = getEmbedValues(await loadAssets());
    if (!embed) throw new Problem('not-found', 'The script has not been built. Run npm run build.');
    return sendPublicBody(c, createPublicBody(JSON.stringify(embed)), {
      'Content-Type': 'application/json',
      ...CROSS_ORIGIN_HEADERS,
      'Cache-Control': 'no-cache',
    });
  });

  rejectOtherMethods(app, `/${NOTICES_FILE}`, '/embed.json');

  // The router does not support `/:name`.
  app.get('*', async (c, next) => {
    const name = c.req.path.slice(1);
    if (SCRIPT_NAME.test(name)) {
      c.set('route', '/:name');
      return sendAsset(c, name);
    }
    const [, channel, channelName] = /^(v\d+)\/([\w-]+\.js)$/.exec(name) ?? [];
    if (channelName === undefined) return next();
    c.set('route', '/:channel/:name');
    return sendChannelAsset(c, channel!, channelName);
  });
}
