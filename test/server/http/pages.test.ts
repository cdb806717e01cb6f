import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { FormDefinition } from '../../../src/core/schemas/form-definition.ts';
import { createPageRoutes } from '../../../src/server/http/routes/pages.ts';
import { readPackageVersion } from '../../../src/server/lib/package-file.ts';
import { buildInEachLanguage } from '../../../src/server/organizations/form-definitions.ts';
import { STRIPE_SOURCES } from '../../../src/server/payments/stripe/content-security-policy.ts';
import { exampleForm } from '../../example-form.ts';
import { readProblem, startServer } from '../support.ts';

const HOSTILE = '<script>alert(1)</script>"\'&';
const ESCAPED = '&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;';

/** The pages of two organizations, the first with the given forms. */
function createPages(
  ...forms: readonly FormDefinition[]
): (path: string, headers?: Record<string, string>) => Promise<Response> {
  const organization = { name: 'Other', contact: 'giving@other.example' };
  const organizations = [forms, [{ ...exampleForm, id: 'other', organization }]].map((family) => ({
    forms: family.map((definition) => buildInEachLanguage(() => definition)),
    origins: new Set<string>(),
  }));
  const app = createPageRoutes({
    organizations: { all: organizations },
    loadAssets: async () =>
      new Map([
        ['pages/preview.js', { text: 'export {};', etag: '"p"' }],
        ['pages/page.css', { text: 'body {}', etag: '"c"' }],
      ]),
  });
  return async (path, headers = {}) => app.request(path, { headers });
}

test("serves the organization's campaign link page with a strict Content-Security-Policy", async () => {
  await using server = await startServer();
  const response = await server.fetch('/links');
  const html = await response.text();
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('Content-Type'), 'text/html; charset=UTF-8');
  assert.match(html, /<title>Campaign links · Lanternwell<\/title>/);
  assert.match(
    html,
    /<campaign-links endpoint="\.\/" form-id="main" origins="https:\/\/lanternwell\.example">/,
  );
  assert.equal(
    response.headers.get('Content-Security-Policy'),
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src " +
      "'self' data:; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action " +
      "'none'; require-trusted-types-for 'script'; trusted-types lit-html",
  );
  assert.deepEqual(
    [
      'X-Content-Type-Options',
      'Referrer-Policy',
      'Cache-Control',
      'Access-Control-Allow-Origin',
    ].map((name) => response.headers.get(name)),
    ['nosniff', 'no-referrer', 'no-cache', null],
  );
  const posted = await server.fetch('/links', { method: 'POST' });
  assert.equal((await readProblem(posted)).code, 'method-not-allowed');
});

test("allows only the endpoint's own page to frame the preview, and the preview to frame only the processor", async () => {
  const [payment] = exampleForm.payments;
  const scriptUrl = 'http://127.0.0.1:4102/stripe/stripe.js';
  const get = createPages({
    ...exampleForm,
    payments: [{ ...payment, options: { ...payment.options, scriptUrl } }],
  });
  const response = await get('/links/preview/main?amt=75');
  const policy = response.headers.get('Content-Security-Policy') ?? '';
  const html = await response.text();
  assert.equal(response.status, 200);
  assert.match(policy, /frame-src http:\/\/127\.0\.0\.1:4102; frame-ancestors 'self';/);
  assert.doesNotMatch(policy, /unsafe|\*/);
  assert.match(html, /<donation-form endpoint="\.\.\/\.\.\/" form-id="main">/);
  assert.match(html, /src="\.\.\/\.\.\/pages\/preview\.js"/);
  assert.doesNotMatch(html, /src="[^"]*donation-form\.js"|amt=75/);
  assert.match(await getPolicyOfPayment('acme', {}), /frame-src 'none';/);
});

test("selects a form by its ID, and lists the organization's other forms", async () => {
  const get = createPages(exampleForm, { ...exampleForm, id: 'spring' });
  const spring = await (await get('/links?id=spring')).text();
  assert.match(spring, /form-id="spring"/);
  assert.match(
    spring,
    /<a href="\?id=main">main<\/a><a href="\?id=spring" aria-current="page">spring<\/a>/,
  );
  const other = await (await get('/links?id=other')).text();
  assert.match(other, /<p class="organization">Other<\/p>/);
  assert.doesNotMatch(other, /<nav|spring/);
});

test('responds with 404 and a page that explains that the form does not exist', async () => {
  const get = createPages(exampleForm);
  for (const path of ['/links?id=none', '/links/preview/none']) {
    const response = await get(path);
    assert.equal(response.status, 404, path);
    assert.match(await response.text(), /The “none” form does not exist</);
    assert.match(response.headers.get('Content-Security-Policy') ?? '', /default-src 'none'/);
  }
});

test('names forms by their names on the pages for staff', async () => {
  const get = createPages({ ...exampleForm, name: HOSTILE }, { ...exampleForm, id: 'spring' });
  const links = await (await get('/links')).text();
  assert.ok(links.includes(`aria-current="page">${ESCAPED}</a>`));
  assert.ok(links.includes('<a href="?id=spring">spring</a>'));
  assert.ok((await (await get('/')).text()).includes(`<h3>${ESCAPED}</h3>`));
});

test('explains at its URL that it is the donation server', async () => {
  await using server = await startServer();
  const response = await server.fetch('/');
  assert.equal(response.status, 200);
  assert.match(response.headers.get('Content-Type')!, /^text\/html/);
  const text = await response.text();
  assert.match(text, /<h1>Lanternwell<\/h1>/);
  assert.match(text, /src="<span class="endpoint-url">.*<\/span>\/embed\/main\.js">/);
  assert.match(text, /&lt;donation-form form-id="main">/);
  assert.match(text, new RegExp(`Version ${readPackageVersion()}\\b`));
  assert.match(text, /<a href="\.\/links">/);
});

test('escapes text from organizations and URLs', async () => {
  const get = createPages(
    {
      ...exampleForm,
      id: HOSTILE,
      organization: { name: HOSTILE, contact: 'giving@lanternwell.example' },
    },
    exampleForm,
  );
  const id = encodeURIComponent(HOSTILE);
  for (const path of [
    '/links',
    `/links?id=${id}`,
    `/links/preview/${id}`,
    `/links?id=${id}x`,
    `/links/preview/${id}x`,
  ]) {
    const html = await (await get(path)).text();
    assert.ok(html.includes(ESCAPED), path);
    assert.ok(!html.includes('<script>'), path);
    assert.ok(!html.includes(HOSTILE.slice(-3)), path);
  }
});

test("serves the pages' files by name with revalidation, and no other files", async () => {
  const get = createPages(exampleForm);
  const script = await get('/pages/preview.js');
  assert.deepEqual(
    [script.status, script.headers.get('Content-Type'), script.headers.get('Cache-Control')],
    [200, 'text/javascript; charset=utf-8', 'no-cache'],
  );
  assert.equal(
    (await get('/pages/page.css')).headers.get('Content-Type'),
    'text/css; charset=utf-8',
  );
  assert.equal((await get('/pages/preview.js', { 'If-None-Match': 'W/"p"' })).status, 304);
  await using server = await startServer();
  for (const path of [
    '/pages/none.js',
    '/pages/..%2Fpackage.json',
    '/pages/',
    '/links/',
    '/links/preview/',
  ]) {
    assert.equal((await server.fetch(path)).status, 404, path);
  }
});

const getPolicy = async (form: typeof exampleForm): Promise<string> =>
  (await createPages(form)('/links/preview/main')).headers.get('Content-Security-Policy') ?? '';

/** Returns the sources of Stripe and Link in a policy or in a document that lists them. */
function findStripeSources(text: string): Record<string, string[]> {
  return Object.fromEntries(
    text.split(/[;\n]/).flatMap((line) => {
      const directive = /^[|`\s]*([a-z]+-src)\b/.exec(line)?.[1];
      const sources = line.match(/https:\/\/[\w.*-]*\b(?:stripe|link)\.com(?![\w./-])/g);
      return directive !== undefined && sources ? [[directive, [...sources]]] : [];
    }),
  );
}

const getPolicyOfPayment = (provider: string, options: Record<string, string>): Promise<string> =>
  getPolicy({ ...exampleForm, payments: [{ ...exampleForm.payments[0], provider, options }] });

test('allows the sources of Stripe.js only in the preview of a form with Stripe', async () => {
  const policy = await getPolicyOfPayment('stripe', { publicKey: 'pk_test_1', methods: 'card' });
  assert.deepEqual(findStripeSources(policy), STRIPE_SOURCES);
  assert.match(
    policy,
    /script-src 'self' https.*; connect-src 'self' https.*img-src 'self' data: https/,
  );
  assert.doesNotMatch(policy, /unsafe|trusted-types/);
  const other = await getPolicyOfPayment('acme', {});
  assert.deepEqual(findStripeSources(other), {});
  assert.match(other, /require-trusted-types-for 'script'/);
});

test("allows the sandbox's script and its frames instead of Stripe's in the preview", async () => {
  const policy = await getPolicyOfPayment('stripe', {
    publicKey: 'pk_test_1',
    scriptUrl: 'http://127.0.0.1:4102/stripe/stripe.js',
  });
  const origin = 'http://127.0.0.1:4102';
  assert.match(
    policy,
    new RegExp(
      `script-src 'self' ${origin}; .*connect-src 'self' ${origin}; ` +
        `img-src 'self' data: ${origin}; frame-src ${origin}; `,
    ),
  );
  assert.deepEqual(findStripeSources(policy), {});
});

test("the documentation lists the sources of Stripe.js that the server's own pages allow", async () => {
  const text = await readFile('docs/install/content-security-policy.md', 'utf8');
  assert.deepEqual(findStripeSources(text), STRIPE_SOURCES);
});
