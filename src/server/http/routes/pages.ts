import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import { formatList, getTextDirection, type Language } from '@donation-form/core/i18n';
import type { FormDefinition } from '@donation-form/core/schemas';
import { readPackageHomepage, readPackageVersion } from '../../lib/package-file.ts';
import { createPublicBody } from '../../lib/public-body.ts';
import type { Organization } from '../../organizations/organization.ts';
import {
  getStripeSources,
  type PolicyDirective,
} from '../../payments/stripe/content-security-policy.ts';
import { assertIsReleased, type AssetLoader } from '../embed-assets.ts';
import {
  type Html,
  type RelativeBase,
  renderDocument,
  renderDocumentStart,
} from '../render-document.ts';
import { compressFast, sendPublicBody } from '../send-public-body.ts';

export interface PagesOptions {
  readonly organizations: { readonly all: readonly Pick<Organization, 'forms' | 'origins'>[] };
  readonly loadAssets: AssetLoader;
}

type FoundForm = NonNullable<ReturnType<typeof findForm>>;

/** Finds a form and all forms of the same organization. Defaults to the first organization's first form. */
function findForm({ all }: PagesOptions['organizations'], id: string | undefined) {
  for (const { forms, origins } of all) {
    const siblings = forms.map(({ en }) => en.definition);
    const form = siblings.find((sibling) => !id || sibling.id === id);
    if (form) return { form, siblings, origins };
    if (!id) return undefined;
  }
  return undefined;
}

/** The endpoint's own pages: the setup page, the campaign link builder, and its form preview. */
export function createPageRoutes({ organizations, loadAssets }: PagesOptions): Hono {
  const app = new Hono();

  app.get('/', (c) =>
    sendPage(
      c,
      renderEndpointPage(
        organizations.all.map(({ forms }) => forms.map(({ en }) => en.definition)),
      ),
      OWN_SOURCES,
    ),
  );

  app.get('/links', (c) => {
    const found = findForm(organizations, c.req.query('id'));
    return found
      ? sendPage(c, renderLinksPage(found), {
          ...OWN_SOURCES,
          'frame-src': ["'self'"],
        })
      : sendUnknownFormPage(c, c.req.query('id') ?? '');
  });

  app.get('/links/preview/:form', (c) => {
    const id = c.req.param('form');
    const form = findForm(organizations, id)?.form;
    return form
      ? sendPage(c, renderPreviewPage(form), { ...getPreviewSources(form), ancestors: "'self'" })
      : sendPage(c, renderUnknownForm('../../', id), { ...OWN_SOURCES, ancestors: "'self'" }, 404);
  });

  app.route('/', createPageAssetRoutes(loadAssets));
  return app;
}

export function createPageAssetRoutes(loadAssets: AssetLoader): Hono {
  const app = new Hono();
  app.get('/pages/:name{[\\w-]+\\.(?:js|css)}', async (c) => {
    const name = c.req.param('name');
    const file = (await loadAssets()).get(`pages/${name}`);
    assertIsReleased(name, file);
    return sendPublicBody(c, file, {
      'Content-Type': name.endsWith('.js')
        ? 'text/javascript; charset=utf-8'
        : 'text/css; charset=utf-8',
      'Cache-Control': 'no-cache',
    });
  });
  return app;
}

/** Sources besides a document's own origin, and the origins that can frame it. */
interface DocumentSources extends Readonly<Record<PolicyDirective, readonly string[]>> {
  readonly ancestors: string;
  /** Stripe's loader does not support Trusted Types. */
  readonly requiresTrustedTypes: boolean;
}
/** For a document that loads nothing from other origins and must not be framed. */
export const OWN_SOURCES: DocumentSources = {
  'script-src': [],
  'frame-src': [],
  'connect-src': [],
  'img-src': [],
  ancestors: "'none'",
  requiresTrustedTypes: true,
};

/** @param forms value of the `form-action` directive. */
export function buildContentSecurityPolicy(
  { ancestors, requiresTrustedTypes, ...sources }: DocumentSources,
  forms = "'none'",
): string {
  const buildDirective = (name: PolicyDirective, ...ownSources: string[]): string =>
    [name, ...ownSources, ...sources[name]].join(' ');
  return [
    "default-src 'none'",
    buildDirective('script-src', "'self'"),
    "style-src 'self'",
    buildDirective('connect-src', "'self'"),
    buildDirective('img-src', "'self'", 'data:'),
    sources['frame-src'].length > 0 ? buildDirective('frame-src') : "frame-src 'none'",
    `frame-ancestors ${ancestors}`,
    "base-uri 'none'",
    `form-action ${forms}`,
    ...(requiresTrustedTypes
      ? ["require-trusted-types-for 'script'", 'trusted-types lit-html']
      : []),
  ].join('; ');
}

async function sendPage(
  c: Context,
  document: Html,
  sources: DocumentSources,
  status: 200 | 404 | 503 = 200,
): Promise<Response> {
  return sendPublicBody(
    c,
    createPublicBody(String(await document)),
    {
      'Content-Type': 'text/html; charset=UTF-8',
      'Content-Security-Policy': buildContentSecurityPolicy(sources),
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-cache',
    },
    { status, compress: compressFast },
  );
}

/** Includes the sources for the form's payment fields. */
function getPreviewSources({ payments }: FormDefinition): DocumentSources {
  const frames = payments.flatMap(({ options: { frame } }) =>
    frame !== undefined && URL.canParse(frame) ? [new URL(frame).origin] : [],
  );
  const stripe = payments.find(({ provider }) => provider === 'stripe');
  if (!stripe) return { ...OWN_SOURCES, 'frame-src': frames };
  const sources = getStripeSources(stripe.options.scriptUrl);
  return {
    ...OWN_SOURCES,
    ...sources,
    'frame-src': [...sources['frame-src'], ...frames],
    requiresTrustedTypes: false,
  };
}

/** Placeholder that the page's script replaces with the URL, which only the browser knows. */
const EXAMPLE_URL = 'https://give.example.org';

/** @param organizations forms of each organization. */
function renderEndpointPage(organizations: readonly (readonly FormDefinition[])[]): Html {
  const names = organizations.flatMap(([form]) => form?.organization.name ?? []);
  return renderDocument(
    './',
    'Donation server',
    html`<header>
<p class="organization">Donation server</p>
<h1>${formatList(names)}</h1>
<p class="lede">The server is running. Websites load their donation form from this URL.
This page is for the people who set up the form.</p>
<nav aria-label="Pages"><a href="./links">Campaign links</a><a href="./healthz">Status</a><a href="${readPackageHomepage()}">Documentation</a></nav>
</header>
<main class="endpoint">
${organizations.map((forms) => renderForms(forms, names.length > 1))}
<p class="hint">Version ${readPackageVersion()}</p>
</main>`,
    'endpoint.js',
  );
}

function renderForms(forms: readonly FormDefinition[], isNamed: boolean): Html {
  const [first] = forms;
  if (!first) return html``;
  return html`<section class="card">
<h2>${isNamed ? first.organization.name : 'Forms'}</h2>
${forms.map(
  ({ id, name }) => html`<div class="form-entry"><h3>${name ?? id}</h3>
<p class="hint">Form ID: <code>${id}</code></p>
<p><a href="./links?id=${encodeURIComponent(id)}">Campaign links</a> <a href="./donate?id=${encodeURIComponent(id)}">Without JavaScript</a></p>
<pre tabindex="0" aria-label="Snippet for ${name ?? id}">${renderSnippet(id)}</pre></div>
`,
)}
</section>`;
}

/** Escapes the snippet for display as text. */
function renderSnippet(id: string): Html {
  const url = html`<span class="endpoint-url">${EXAMPLE_URL}</span>`;
  const encodedId = encodeURIComponent(id);
  return html`&lt;script type="module" src="${url}/embed/${encodedId}.js">&lt;/script>
&lt;donation-form form-id="${id}">
  &lt;a href="${url}/donate?id=${encodedId}">Give on our secure page&lt;/a>
&lt;/donation-form>`;
}

function renderLinksPage({ form: { id, organization }, siblings, origins }: FoundForm): Html {
  const { name } = organization;
  const navigation =
    siblings.length < 2
      ? ''
      : html`<nav aria-label="Forms">${siblings.map(
          (form) =>
            html`<a href="?id=${encodeURIComponent(form.id)}"${
              form.id === id ? html` aria-current="page"` : ''
            }>${form.name ?? form.id}</a>`,
        )}</nav>`;
  return renderDocument(
    './',
    `Campaign links · ${name}`,
    html`<link rel="stylesheet" href="./pages/tools.css">
<header>
<p class="organization">${name}</p>
<h1>Campaign links</h1>
<p class="lede">Create links for emails, letters, and posters that open your donation form with a
preset amount, project, or segment.</p>
${navigation}
</header>
<main><campaign-links endpoint="./" form-id="${id}" origins="${[...origins].join(' ')}"><noscript>This page requires JavaScript.</noscript></campaign-links></main>`,
    'campaign-links.js',
  );
}

function renderPreviewPage({ id, organization: { name } }: FormDefinition): Html {
  return renderDocument(
    '../../',
    `Preview · ${name}`,
    html`<link rel="modulepreload" href="../../donation-form.js">
<body class="preview on-sheet">
<div class="form"><donation-form endpoint="../../" form-id="${id}">Cannot load the donation form.</donation-form></div>
<p id="preview-note" role="status">This is a preview. You cannot donate here.</p>
</body>`,
    'preview.js',
  );
}

/** Explains why the donor cannot manage a recurring donation here. */
export function sendPortalUnavailablePage(
  c: Context,
  organization: FormDefinition['organization'] | undefined,
  status: 404 | 503,
): Promise<Response> {
  const [heading, advice] =
    status === 503
      ? ['This page is currently unavailable', 'Please try again in a few minutes, or contact']
      : [
          'You cannot change your donation here',
          'To change or cancel your recurring donation, please contact',
        ];
  const contact = organization
    ? html`${organization.name}: <a href="mailto:${organization.contact}">${organization.contact}</a>`
    : 'the organization that you donate to.';
  const page = renderMessage('./', 'Your recurring donation', heading, html`${advice} ${contact}`);
  return sendPage(c, page, OWN_SOURCES, status);
}

export function sendUnknownFormPage(c: Context, id: string): Promise<Response> {
  return sendPage(c, renderUnknownForm('./', id), OWN_SOURCES, 404);
}

function renderUnknownForm(root: RelativeBase, id: string): Html {
  const advice =
    'Check the form ID at the end of the URL, or ask the donation server’s administrator.';
  return renderMessage(root, 'Form not found', `The “${id}” form does not exist`, advice);
}

function renderMessage(
  root: RelativeBase,
  title: string,
  heading: string,
  text: Html | string,
): Html {
  return renderDocument(
    root,
    title,
    html`<main class="message">
<h1>${heading}</h1>
<p>${text}</p>
</main>`,
  );
}

/** Prevents caching and compression, because the page contains an idempotency key. */
export async function sendDonationPage(
  c: Context,
  {
    title,
    body,
    language,
    definition,
  }: {
    readonly title: string;
    readonly body: Html;
    readonly language: Language;
    readonly definition: FormDefinition;
  },
  status: 200 | 402 | 403 | 409 | 422 | 429 | 500 | 503 = 200,
): Promise<Response> {
  const start = renderDocumentStart('./', `${title} · ${definition.organization.name}`, {
    language,
    direction: getTextDirection(language),
    styleSheets: ['page.css', 'donate.css'],
  });
  return c.body(String(await html`${start}\n<body class="donate">${body}</body></html>`), status, {
    'Content-Type': 'text/html; charset=UTF-8',
    // Chromium also applies form-action to the redirect to the payment provider's page.
    'Content-Security-Policy': buildContentSecurityPolicy(
      OWN_SOURCES,
      definition.isTest ? "'self' https: http:" : "'self' https:",
    ),
    // The server reads the page's URL from the Referer header of a form submission.
    'Referrer-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  });
}
