import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { FormDefinition } from '../../../src/core/schemas/form-definition.ts';
import type { DraftProblem } from '../../../src/server/admin/pages/configuration-preview.ts';
import { buildForms } from '../../../src/server/config/validate-configuration.ts';
import { configuration, startServer, type TestServer } from '../support.ts';
import { ADMIN_KEY, Browser } from './support.ts';

const demoConfiguration = JSON.parse(await readFile('demo/donation-form.config.json', 'utf8')) as {
  readonly organizations: readonly [{ readonly forms: readonly object[] }];
};
const [organization] = demoConfiguration.organizations;
const draft = {
  configuration: demoConfiguration as unknown,
  organization: 0,
  form: 1,
  language: 'de',
};

const GERMAN = { definition: buildForms(configuration)[0]![1]!.de.definition };

/** A browser that has signed in to the builder. */
async function openBuilder(server: TestServer) {
  const browser = new Browser(server);
  await browser.signIn();
  const [, csrf] = /csrf="([^"]+)"/.exec((await browser.request('/builder')).html)!;
  const postDraft = (change: object, headers = {}): Promise<Response> =>
    browser.postJson('/builder/definition', { csrf, ...draft, ...change }, headers);
  return {
    browser,
    csrf: csrf!,
    postDraft,
    listProblems: async (change: object): Promise<readonly DraftProblem[]> =>
      ((await (await postDraft(change)).json()) as { problems: readonly DraftProblem[] }).problems,
  };
}

test('requires a session for the builder, its configuration, its preview, and their assets', async () => {
  await using server = await startServer({ adminKey: ADMIN_KEY });
  const stranger = new Browser(server);
  const paths = [
    '/builder',
    '/builder/preview',
    '/builder/configuration',
    '/builder/themes/warm-paper.css',
    '/builder/countries',
    '/donation-form.js',
  ];
  for (const path of paths) {
    const { status, html } = await stranger.request(path);
    assert.deepEqual(
      [status, html.includes('Admin key'), html.includes('lanternwell')],
      [401, true, false],
      path,
    );
  }
  const csrf = await stranger.fetchCsrfToken('/sign-in');
  const rejected = await stranger.postJson('/builder/definition', { csrf, ...draft });
  assert.equal(rejected.status, 401);
  const credentials = { key: ADMIN_KEY, name: 'Ana', returnTo: '/builder' };
  const { to } = await stranger.request('/sign-in', {
    csrf: await stranger.fetchCsrfToken('/builder'),
    ...credentials,
  });
  assert.equal(to, '/builder');
  for (const path of paths) assert.equal((await stranger.request(path)).status, 200, path);
  for (const path of [
    '/builder/themes/none.css',
    '/donation-form.none.js',
    '/builder/form',
    '/builder/themes/..%2f..%2fpackage.json',
  ])
    assert.equal((await stranger.request(path)).status, 404, path);
});

test('restricts scripts and frames by Content-Security-Policy, and disables caching', async () => {
  await using server = await startServer({ adminKey: ADMIN_KEY });
  const { browser } = await openBuilder(server);
  const [page, preview] = [
    await browser.request('/builder'),
    await browser.request('/builder/preview'),
  ];
  const createPolicy = (frames: string, ancestors: string, forms: string): string =>
    `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src ` +
    `'self' data:; frame-src ${frames}; frame-ancestors ${ancestors}; base-uri 'none'; ` +
    `form-action ${forms}; require-trusted-types-for 'script'; trusted-types lit-html`;
  assert.deepEqual(
    [page, preview].map(({ headers }) => headers.get('Content-Security-Policy')),
    [createPolicy("'self'", "'none'", "'self'"), createPolicy("'none'", "'self'", "'none'")],
  );
  for (const { html, headers } of [page, preview])
    assert.deepEqual(
      [headers.get('Cache-Control'), /style=|onclick|<script>/.test(html)],
      ['no-store', false],
    );
});

test('serves the configuration file as written, without secrets', async () => {
  await using server = await startServer({ adminKey: ADMIN_KEY });
  const { browser } = await openBuilder(server);
  const { html: text } = await browser.request('/builder/configuration');
  assert.deepEqual(JSON.parse(text), demoConfiguration);
  assert.doesNotMatch(text, /canary/);
});

test('builds the definition of a draft as the server would, in the requested language', async () => {
  await using server = await startServer({ adminKey: ADMIN_KEY });
  const { postDraft } = await openBuilder(server);
  assert.deepEqual(await (await postDraft({})).json(), GERMAN);
  const english = (await (await postDraft({ language: 'none' })).json()) as {
    definition: FormDefinition;
  };
  assert.equal(english.definition.projects[1]!.name, 'Village wells');
});

test('reports configuration errors with their paths, as at startup', async () => {
  await using server = await startServer({ adminKey: ADMIN_KEY });
  const { listProblems } = await openBuilder(server);
  const [main] = organization.forms as readonly [{ readonly currencies: readonly [object] }];
  const changeOrganization = (change: object): object => ({
    form: 0,
    configuration: {
      ...demoConfiguration,
      organizations: [{ ...organization, name: 'canary', ...change }],
    },
  });
  const path = 'organizations.0.forms.0';
  const ids = [0, 1, 2].map((index) => `organizations.0.forms.${index}.id`);
  const isDuplicate =
    `found the ID "a" at ${ids.join(' and ')}; expected an ID that is unique across the forms of ` +
    'all organizations';
  const duplicates = changeOrganization({
    forms: ['a', 'a', 'a', 'b'].map((id) => ({ ...main, id })),
  });
  const currency = { ...main.currencies[0], giftArrays: undefined, minimum: '30' };
  const goal = { id: 'wells', name: 'Wells', currency: 'USD', target: '100', from: '2026-01-01' };
  for (const [change, ...problems] of [
    [
      changeOrganization({ forms: [{ ...main, id: 'Main', projects: [] }] }),
      [
        `${path}.id`,
        'found "Main"; expected 1 to 40 lowercase letters, digits, or hyphens, starting with a letter or digit',
      ],
      [`${path}.projects`, 'found an empty list; expected at least one entry'],
    ],
    [
      changeOrganization({ forms: [{ ...main, currencies: [currency] }] }),
      [`${path}.currencies.0.giftArray.0.value`, 'found 25; expected an amount from 30 to 25000'],
    ],
    [
      { ...changeOrganization({ forms: [main] }), form: 3 },
      ['', 'found no form at organizations.0.forms.3'],
    ],
    // The edited form is reported, if it is one of those with the same ID.
    ...[0, 1, 2, 3].map(
      (form) => [{ ...duplicates, form }, [ids[form] ?? ids[1]!, isDuplicate]] as const,
    ),
    [
      changeOrganization({ goals: [{ ...goal, projects: ['GONE'] }] }),
      [
        'organizations.0.goals.0.projects.0',
        'found "GONE"; expected the code or ID of a project that a form offers',
      ],
    ],
    [{ configuration: 7 }, ['', 'the top level: found 7; expected an object, { … }']],
  ] as const)
    assert.deepEqual(
      (await listProblems(change)).map((problem) => [problem.path, problem.message]),
      problems,
    );
});

test('rejects drafts that are invalid, too large, or sent by another page', async () => {
  await using server = await startServer({ adminKey: ADMIN_KEY });
  const { browser, csrf, postDraft } = await openBuilder(server);
  const other = await openBuilder(server);
  for (const [body, headers] of [
    [draft.configuration, {}],
    [{ ...draft, csrf: other.csrf }, {}],
    [{ ...draft, csrf }, { 'Sec-Fetch-Site': 'cross-site' }],
    [{ ...draft, csrf }, { 'Sec-Fetch-Site': 'same-site' }],
  ] as const) {
    const response = await browser.postJson('/builder/definition', body, headers);
    assert.ok([400, 403].includes(response.status));
    assert.match(
      ((await response.json()) as { message: string }).message,
      body === draft.configuration ? /csrf/ : /came from another page/,
    );
  }
  const large = await postDraft({ language: 'x'.repeat(600_000) });
  assert.equal(large.status, 413);
  assert.deepEqual(await large.json(), {
    message:
      'Cannot preview the configuration, because it is larger than 524288 bytes. Remove some of its content.',
  });
  assert.deepEqual(await (await postDraft({})).json(), GERMAN);
});
