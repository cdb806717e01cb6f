import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { FormDefinition } from '../../../src/core/schemas/form-definition.ts';
import { buildForms } from '../../../src/server/config/validate-configuration.ts';
import type { DraftProblem } from '../../../src/server/admin/pages/configuration-preview.ts';
import { Browser, ADMIN_KEY } from './support.ts';
import { configuration, startServer } from '../support.ts';

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

async function signIn(
  server: Awaited<ReturnType<typeof startServer>>,
): Promise<{ browser: Browser; csrf: string }> {
  const browser = new Browser(server);
  await browser.signIn();
  return { browser, csrf: /csrf="([^"]+)"/.exec((await browser.request('/builder')).html)![1]! };
}

test('requires a session for the builder, its configuration, its preview, and their assets', async () => {
  await using server = await startServer({ adminKey: ADMIN_KEY });
  const stranger = new Browser(server);
  for (const path of [
    '/builder',
    '/builder/preview',
    '/builder/configuration',
    '/builder/themes/warm-paper.css',
    '/builder/countries',
    '/donation-form.js',
  ]) {
    const { status, html } = await stranger.request(path);
    assert.deepEqual(
      [status, html.includes('Admin key'), html.includes('lanternwell')],
      [401, true, false],
      path,
    );
  }
  assert.equal(
    (
      await stranger.postJson('/builder/definition', {
        csrf: await stranger.fetchCsrfToken('/sign-in'),
        ...draft,
      })
    ).status,
    401,
  );
  assert.equal(
    (
      await stranger.request('/sign-in', {
        csrf: await stranger.fetchCsrfToken('/builder'),
        key: ADMIN_KEY,
        name: 'Ana',
        returnTo: '/builder',
      })
    ).to,
    '/builder',
  );
  for (const path of [
    '/builder',
    '/builder/preview',
    '/builder/themes/warm-paper.css',
    '/builder/countries',
    '/donation-form.js',
  ])
    assert.equal((await stranger.request(path)).status, 200, path);
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
  const { browser } = await signIn(server);
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
  const { browser } = await signIn(server);
  const { html: text } = await browser.request('/builder/configuration');
  assert.deepEqual(JSON.parse(text), demoConfiguration);
  assert.doesNotMatch(text, /canary/);
});

test('builds the definition of a draft as the server would, in the requested language', async () => {
  await using server = await startServer({ adminKey: ADMIN_KEY });
  const { browser, csrf } = await signIn(server);
  const response = await browser.postJson('/builder/definition', { csrf, ...draft });
  assert.deepEqual(await response.json(), {
    definition: buildForms(configuration)[0]![1]!.de.definition,
  });
  const english = (await (
    await browser.postJson('/builder/definition', { csrf, ...draft, language: 'none' })
  ).json()) as { definition: FormDefinition };
  assert.equal(english.definition.projects[1]!.name, 'Village wells');
});

test('reports configuration errors with their paths, as at startup', async () => {
  await using server = await startServer({ adminKey: ADMIN_KEY });
  const { browser, csrf } = await signIn(server);
  const findProblems = async (form: object, index = 0): Promise<readonly DraftProblem[]> => {
    const changed = {
      ...demoConfiguration,
      organizations: [{ ...organization, name: 'canary', forms: [form] }],
    };
    return (
      (await (
        await browser.postJson('/builder/definition', {
          csrf,
          ...draft,
          configuration: changed,
          form: index,
        })
      ).json()) as { problems: readonly DraftProblem[] }
    ).problems;
  };
  const [main] = organization.forms as readonly [{ readonly currencies: readonly [object] }];
  const path = 'organizations.0.forms.0';
  assert.deepEqual(await findProblems({ ...main, id: 'Main', projects: [] }), [
    {
      path: `${path}.id`,
      message:
        'found "Main"; expected 1 to 40 lowercase letters, digits, or hyphens, starting with a letter or digit',
    },
    { path: `${path}.projects`, message: 'found an empty list; expected at least one entry' },
  ]);
  assert.deepEqual(
    await findProblems({
      ...main,
      currencies: [{ ...main.currencies[0], giftArrays: undefined, minimum: '30' }],
    }),
    [
      {
        path: `${path}.currencies.0.giftArray.0.value`,
        message: 'found 25; expected an amount from 30 to 25000',
      },
    ],
  );
  assert.deepEqual(await findProblems(main, 3), [
    { path: '', message: 'found no form at organizations.0.forms.3' },
  ]);
  const createForm = (id: string): object => ({ ...main, id });
  const paths = [0, 1, 2].map((index) => `organizations.0.forms.${index}.id`);
  for (const [form, reportedPath] of [
    [0, paths[0]],
    [1, paths[1]],
    [2, paths[2]],
    [3, paths[1]],
  ] as const) {
    const changed = {
      ...demoConfiguration,
      organizations: [{ ...organization, forms: ['a', 'a', 'a', 'b'].map(createForm) }],
    };
    const { problems } = (await (
      await browser.postJson('/builder/definition', {
        csrf,
        ...draft,
        configuration: changed,
        form,
      })
    ).json()) as { problems: readonly DraftProblem[] };
    assert.deepEqual(
      problems,
      [
        {
          path: reportedPath,
          message:
            `found the ID "a" at ${paths.join(' and ')}; expected an ID that is unique across ` +
            'the forms of all organizations',
        },
      ],
      'reports the edited form, if it is one of them',
    );
  }
  const goal = {
    id: 'wells',
    name: 'Wells',
    currency: 'USD',
    target: '100',
    from: '2026-01-01',
    projects: ['GONE'],
  };
  const withGoal = { ...demoConfiguration, organizations: [{ ...organization, goals: [goal] }] };
  const goalResult = (await (
    await browser.postJson('/builder/definition', { csrf, ...draft, configuration: withGoal })
  ).json()) as { problems: readonly DraftProblem[] };
  assert.deepEqual(goalResult.problems, [
    {
      path: 'organizations.0.goals.0.projects.0',
      message: 'found "GONE"; expected the code or ID of a project that a form offers',
    },
  ]);
  const numberResult = (await (
    await browser.postJson('/builder/definition', { csrf, ...draft, configuration: 7 })
  ).json()) as { problems: readonly DraftProblem[] };
  assert.deepEqual(numberResult.problems, [
    { path: '', message: 'the top level: found 7; expected an object, { … }' },
  ]);
});

test('rejects drafts that are invalid, too large, or sent by another page', async () => {
  await using server = await startServer({ adminKey: ADMIN_KEY });
  const { browser, csrf } = await signIn(server);
  const other = await signIn(server);
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
  const large = await browser.postJson('/builder/definition', {
    csrf,
    ...draft,
    language: 'x'.repeat(600_000),
  });
  assert.deepEqual(
    [large.status, ((await large.json()) as { message: string }).message],
    [
      413,
      'Cannot preview the configuration, because it is larger than 524288 bytes. Remove some of its content.',
    ],
  );
  assert.deepEqual(
    await (await browser.postJson('/builder/definition', { csrf, ...draft })).json(),
    {
      definition: buildForms(configuration)[0]![1]!.de.definition,
    },
  );
});
