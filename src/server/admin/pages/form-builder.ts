import { readFile } from 'node:fs/promises';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { LoadedConfiguration } from '../../config/load-configuration.ts';
import { countryRoutes } from '../../http/routes/countries.ts';
import { OWN, policyOf } from '../../http/routes/pages.ts';
import { packageFile } from '../../lib/package-file.ts';
import { Problem } from '../../lib/problem.ts';
import { answerWith } from '../../lib/cached-response.ts';
import type { ScriptFiles } from '../../http/embed-assets.ts';
import { draft, readDraft } from './configuration-preview.ts';
import { faultOf } from '../command-schemas.ts';
import { headersWith, isOwnOrder, type PageEnv } from './page-context.ts';
import { builderDocument, builderPreviewDocument } from '../views/builder.ts';

export interface BuilderOptions {
  /** What the pages load, and the form's own script, which the preview shows. */
  readonly scripts: ScriptFiles;
  /** What the server runs with now. */
  readonly configuration: () => LoadedConfiguration;
}

/** The largest configuration that is checked, in bytes. */
const LARGEST_CONFIGURATION = 512 * 1024;

const PAGE = headersWith(policyOf({ ...OWN, frames: "'self'" }, "'self'"));
const PREVIEW = headersWith(policyOf({ ...OWN, ancestors: "'self'" }));

const tooLarge = bodyLimit({
  maxSize: LARGEST_CONFIGURATION,
  onError: (c) =>
    c.json(
      {
        message: `This configuration is larger than ${LARGEST_CONFIGURATION} bytes, so it is not checked and not shown here.`,
      },
      413,
    ),
});

/**
 * The form builder: a page that makes a configuration file and a snippet. It keeps nothing and
 * changes nothing of the server.
 */
export function formBuilder({ scripts, configuration }: BuilderOptions): Hono<PageEnv> {
  const app = new Hono<PageEnv>();

  app.get('/builder', (c) => c.html(builderDocument(c.get('visit')), 200, PAGE));

  app.get('/builder/preview', (c) => c.html(builderPreviewDocument(), 200, PREVIEW));

  app.get('/builder/configuration', (c) => {
    const current = configuration();
    return c.json(current.written ?? { ...current, file: undefined });
  });

  app.post('/builder/definition', tooLarge, async (c) => {
    const { data, error } = draft.safeParse(await c.req.json().catch(() => undefined));
    if (error) return c.json({ message: faultOf(error) }, 400);
    if (!isOwnOrder(c, data.csrf))
      return c.json(
        {
          message:
            'This was not sent by this page, or the page is older than your log-in. Reload it: what you typed stays in this tab.',
        },
        403,
      );
    return c.json(readDraft(data));
  });

  app.get('/builder/themes/:name{[a-z-]+\\.css}', async (c) => {
    const name = c.req.param('name');
    const text = await readFile(packageFile(`themes/${name}`), 'utf8').catch(() => undefined);
    if (text === undefined) throw new Problem('not-found', `There is no theme ${name}.`);
    return c.body(text, 200, { 'Content-Type': 'text/css; charset=utf-8' });
  });

  app.get('/:name{donation-form(\\.[\\w-]+)?\\.js}', async (c) => {
    const name = c.req.param('name');
    const file = (await scripts()).get(name);
    if (!file)
      throw new Problem(
        'not-found',
        `There is no ${name} here. Reload the page: it asks for a part of an earlier release.`,
      );
    return answerWith(c, file, { 'Content-Type': 'text/javascript; charset=utf-8' });
  });

  app.route('/builder', countryRoutes());
  return app;
}
