import { readFile } from 'node:fs/promises';
import { bodyLimit } from 'hono/body-limit';
import { html } from 'hono/html';
import type { LoadedConfiguration } from '../../config/load-configuration.ts';
import { assertIsReleased } from '../../http/embed-assets.ts';
import { type Html, renderDocumentStart } from '../../http/render-document.ts';
import { createCountryRoutes } from '../../http/routes/countries.ts';
import { buildContentSecurityPolicy, OWN_SOURCES } from '../../http/routes/pages.ts';
import { sendPublicBody } from '../../http/send-public-body.ts';
import { resolvePackageFile } from '../../lib/package-file.ts';
import { Problem } from '../../lib/problem.ts';
import type { ActorContext } from '../access/actor-context.ts';
import { ActionError, formatIssuesOnOneLine } from '../actions/action-error.ts';
import { renderAdminPage, type ViewContext } from '../views/layout.ts';
import { draftSchema, previewConfiguration } from './configuration-preview.ts';
import { createPageHeaders, isSubmittedFromSameSession } from './page-context.ts';
import type { PageRoutes } from './page-routes.ts';

/** Maximum size of a submitted configuration, in bytes. */
const MAX_CONFIGURATION_SIZE = 512 * 1024;

const PAGE_HEADERS = createPageHeaders(
  buildContentSecurityPolicy({ ...OWN_SOURCES, 'frame-src': ["'self'"] }, "'self'"),
);
const PREVIEW_HEADERS = createPageHeaders(
  buildContentSecurityPolicy({ ...OWN_SOURCES, ancestors: "'self'" }),
);

const limitConfigurationSize = bodyLimit({
  maxSize: MAX_CONFIGURATION_SIZE,
  onError: () => {
    throw new ActionError(
      413,
      'Cannot preview the configuration, because it is larger than ' +
        `${MAX_CONFIGURATION_SIZE} bytes. Remove some of its content.`,
    );
  },
});

/** Adds the form builder, which saves nothing on the server. */
export function addFormBuilder(routes: PageRoutes): void {
  routes.addPage(
    '/builder',
    'forms:edit',
    (c) => renderBuilderPage(c.get('context')),
    PAGE_HEADERS,
  );

  routes.addRoute('GET', '/builder/preview', 'forms:edit', (c) =>
    c.html(renderBuilderPreview(), 200, PREVIEW_HEADERS),
  );

  routes.addRoute('GET', '/builder/configuration', 'forms:edit', (c, context) =>
    c.json(readConfiguration(context)),
  );

  routes.addRoute(
    'POST',
    '/builder/definition',
    'forms:edit',
    async (c) => {
      const { data, error } = draftSchema.safeParse(await c.req.json().catch(() => undefined));
      if (error) throw new ActionError(400, formatIssuesOnOneLine(error));
      if (!isSubmittedFromSameSession(c, data.csrf))
        throw new ActionError(
          403,
          'The request came from another page, or this page is older than your session. Reload ' +
            'this page to continue; your changes remain in this tab.',
        );
      return c.json(previewConfiguration(data));
    },
    limitConfigurationSize,
  );

  routes.addRoute('GET', '/builder/themes/:name{[a-z-]+\\.css}', 'forms:edit', async (c) => {
    const name = c.req.param('name') ?? '';
    const text = await readFile(resolvePackageFile(`themes/${name}`), 'utf8').catch(
      () => undefined,
    );
    if (text === undefined) throw new Problem('not-found', `Unknown theme '${name}'.`);
    return c.body(text, 200, { 'Content-Type': 'text/css; charset=utf-8' });
  });

  routes.addRoute(
    'GET',
    '/:name{donation-form(\\.[\\w-]+)?\\.js}',
    'forms:edit',
    async (c, { loadAssets }) => {
      const name = c.req.param('name') ?? '';
      const file = (await loadAssets()).get(name);
      assertIsReleased(name, file);
      return sendPublicBody(c, file, { 'Content-Type': 'text/javascript; charset=utf-8' });
    },
  );

  // Public data.
  routes.app.route('/builder', createCountryRoutes());
}

/** Returns the configuration file's contents, without organizations of others. */
function readConfiguration({ configuration, isPermitted }: ActorContext): object {
  const current = configuration();
  const json = (current.rawJson ?? { ...current, file: undefined }) as Pick<
    LoadedConfiguration,
    'organizations'
  >;
  return { ...json, organizations: json.organizations.filter(({ id }) => isPermitted(id)) };
}

function renderBuilderPage(context: ViewContext): Html {
  return renderAdminPage(
    'Form builder · Donations',
    { ...context, page: '/builder' },
    html`<link rel="stylesheet" href="/pages/tools.css">
<script type="module" src="/pages/form-builder.js"></script>
<header>
<h1>Form builder</h1>
<p class="lede">Set up your form and preview it. Then download the configuration file and copy the
snippet for your page. The builder does not change anything on this server.</p>
</header>
<main><form-builder csrf="${context.csrf}"><noscript>This page requires JavaScript.</noscript></form-builder></main>`,
  );
}

/** Renders the document for the preview frame. A script in the document adds the form. */
function renderBuilderPreview(): Html {
  return html`${renderDocumentStart('/', 'Preview')}
<script type="module" src="/pages/builder-preview.js"></script>
<body class="preview">
<div class="form"></div>
<p id="preview-note" role="status">This is a preview. You cannot donate here.</p>
</body>
</html>`;
}
