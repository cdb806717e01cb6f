import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import { formsOf } from '../../src/server/config/load-configuration.ts';
import type { DraftProblem } from '../../src/server/admin/pages/configuration-preview.ts';
import { Browser, OPERATOR_KEY } from './operator-support.ts';
import { configuration, openDesk } from './support.ts';

const written = JSON.parse(await readFile('demo/donation-form.config.json', 'utf8')) as {
  readonly organizations: readonly [{ readonly forms: readonly object[] }];
};
const [organization] = written.organizations;
const draft = { configuration: written as unknown, organization: 0, form: 1, language: 'de' };

async function logIn(
  desk: Awaited<ReturnType<typeof openDesk>>,
): Promise<{ browser: Browser; csrf: string }> {
  const browser = new Browser(desk);
  await browser.logIn();
  return { browser, csrf: /csrf="([^"]+)"/.exec((await browser.ask('/builder')).html)![1]! };
}

test('without a session the form builder shows nothing: neither its page, the configuration, a definition, nor the preview with all that it loads', async () => {
  await using desk = await openDesk({ key: OPERATOR_KEY });
  const stranger = new Browser(desk);
  for (const path of [
    '/builder',
    '/builder/preview',
    '/builder/configuration',
    '/builder/themes/warm-paper.css',
    '/builder/countries',
    '/donation-form.js',
  ]) {
    const { status, html } = await stranger.ask(path);
    assert.deepEqual(
      [status, html.includes('The operator’s key'), html.includes('lanternwell')],
      [401, true, false],
      path,
    );
  }
  assert.equal(
    (await stranger.send('/builder/definition', { csrf: await stranger.csrf('/log-in'), ...draft }))
      .status,
    401,
  );
  assert.equal(
    (
      await stranger.ask('/log-in', {
        csrf: await stranger.csrf('/builder'),
        key: OPERATOR_KEY,
        name: 'Ana',
        to: '/builder',
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
    assert.equal((await stranger.ask(path)).status, 200, path);
  for (const path of [
    '/builder/themes/none.css',
    '/donation-form.none.js',
    '/builder/form',
    '/builder/themes/..%2f..%2fpackage.json',
  ])
    assert.equal((await stranger.ask(path)).status, 404, path);
});

test('the page runs its own scripts alone, the preview stands in it alone, and neither is kept by caches', async () => {
  await using desk = await openDesk({ key: OPERATOR_KEY });
  const { browser } = await logIn(desk);
  const [page, preview] = [await browser.ask('/builder'), await browser.ask('/builder/preview')];
  const policy = (frames: string, ancestors: string, forms: string): string =>
    `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-src ${frames}; frame-ancestors ${ancestors}; base-uri 'none'; form-action ${forms}; require-trusted-types-for 'script'; trusted-types lit-html`;
  assert.deepEqual(
    [page, preview].map(({ headers }) => headers.get('Content-Security-Policy')),
    [policy("'self'", "'none'", "'self'"), policy("'none'", "'self'", "'none'")],
  );
  for (const { html, headers } of [page, preview])
    assert.deepEqual(
      [headers.get('Cache-Control'), /style=|onclick|<script>/.test(html)],
      ['no-store', false],
    );
});

test('it opens with the file that the server runs with, as it was written, where secrets have only names', async () => {
  await using desk = await openDesk({ key: OPERATOR_KEY });
  const { browser } = await logIn(desk);
  const { html: text } = await browser.ask('/builder/configuration');
  assert.deepEqual(JSON.parse(text), written);
  assert.doesNotMatch(text, /canary/);
});

test('a draft is answered with the very definition that a server would offer, in its language', async () => {
  await using desk = await openDesk({ key: OPERATOR_KEY });
  const { browser, csrf } = await logIn(desk);
  const response = await browser.send('/builder/definition', { csrf, ...draft });
  assert.deepEqual(await response.json(), {
    definition: formsOf(configuration)[0]![1]!.de.definition,
  });
  const english = (await (
    await browser.send('/builder/definition', { csrf, ...draft, language: 'none' })
  ).json()) as { definition: FormDefinition };
  assert.equal(english.definition.projects[1]!.name, 'Village wells');
});

test('what would keep a server from starting is told with its place, in the words of the start', async () => {
  await using desk = await openDesk({ key: OPERATOR_KEY });
  const { browser, csrf } = await logIn(desk);
  const problemsOf = async (form: object, index = 0): Promise<readonly DraftProblem[]> => {
    const changed = {
      ...written,
      organizations: [{ ...organization, name: 'canary', forms: [form] }],
    };
    return (
      (await (
        await browser.send('/builder/definition', {
          csrf,
          ...draft,
          configuration: changed,
          form: index,
        })
      ).json()) as { problems: readonly DraftProblem[] }
    ).problems;
  };
  const [main] = organization.forms as readonly [{ readonly currencies: readonly [object] }];
  const at = 'organizations.0.forms.0';
  assert.deepEqual(await problemsOf({ ...main, id: 'Main', projects: [] }), [
    {
      at: `${at}.id`,
      words: 'expected small letters, digits and hyphens, 40 at most; found "Main"',
    },
    { at: `${at}.projects`, words: 'expected at least one entry; found an empty list' },
  ]);
  assert.deepEqual(
    await problemsOf({ ...main, currencies: [{ ...main.currencies[0], minimum: '30' }] }),
    [
      {
        at: `${at}.currencies.0.giftArray.0.value`,
        words: 'found 25, expected an amount from 30 to 25000',
      },
    ],
  );
  assert.deepEqual(await problemsOf(main, 3), [
    { at: '', words: 'expected the form 3 of the organisation 0; found none there' },
  ]);
  const named = (id: string): object => ({ ...main, id });
  const places = [0, 1, 2].map((index) => `organizations.0.forms.${index}.id`);
  for (const [form, at] of [
    [0, places[0]],
    [1, places[1]],
    [2, places[2]],
    [3, places[1]],
  ] as const) {
    const changed = {
      ...written,
      organizations: [{ ...organization, forms: ['a', 'a', 'a', 'b'].map(named) }],
    };
    const { problems } = (await (
      await browser.send('/builder/definition', { csrf, ...draft, configuration: changed, form })
    ).json()) as { problems: readonly DraftProblem[] };
    assert.deepEqual(
      problems,
      [
        {
          at,
          words: `found the id "a" at ${places.join(' and ')}, expected each id once, over the forms of all organisations`,
        },
      ],
      'told at the form that is worked on, where it is one of them',
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
  const counted = { ...written, organizations: [{ ...organization, goals: [goal] }] };
  const unknown = (await (
    await browser.send('/builder/definition', { csrf, ...draft, configuration: counted })
  ).json()) as { problems: readonly DraftProblem[] };
  assert.deepEqual(unknown.problems, [
    {
      at: 'organizations.0.goals.0.projects.0',
      words: 'found "GONE", expected the code or id of a project that a form offers',
    },
  ]);
  const nothing = (await (
    await browser.send('/builder/definition', { csrf, ...draft, configuration: 7 })
  ).json()) as { problems: readonly DraftProblem[] };
  assert.deepEqual(nothing.problems, [
    { at: '', words: 'the whole file: expected an object, { … }; found 7' },
  ]);
});

test('a draft that another page sent, that is none, or that is too large is not read', async () => {
  await using desk = await openDesk({ key: OPERATOR_KEY });
  const { browser, csrf } = await logIn(desk);
  const other = await logIn(desk);
  for (const [sent, headers] of [
    [draft.configuration, {}],
    [{ ...draft, csrf: other.csrf }, {}],
    [{ ...draft, csrf }, { 'Sec-Fetch-Site': 'cross-site' }],
    [{ ...draft, csrf }, { 'Sec-Fetch-Site': 'same-site' }],
  ] as const) {
    const response = await browser.send('/builder/definition', sent, headers);
    assert.ok([400, 403].includes(response.status));
    assert.match(
      ((await response.json()) as { message: string }).message,
      sent === draft.configuration ? /csrf/ : /not sent by this page/,
    );
  }
  const large = await browser.send('/builder/definition', {
    csrf,
    ...draft,
    language: 'x'.repeat(600_000),
  });
  assert.deepEqual(
    [large.status, ((await large.json()) as { message: string }).message],
    [
      413,
      'This configuration is larger than 524288 bytes, so it is not checked and not shown here.',
    ],
  );
  assert.deepEqual(await (await browser.send('/builder/definition', { csrf, ...draft })).json(), {
    definition: formsOf(configuration)[0]![1]!.de.definition,
  });
});
