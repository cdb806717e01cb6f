import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Browser, chromium as playwright } from 'playwright';
import { type PageDiagnosis, writeSupportRequest } from '../../../src/core/page-diagnosis/index.ts';
import { verifyPage } from '../../../src/server/diagnostics/page/verify-page.ts';
import { chromium } from '../../browsers.ts';
import { getCommandThread } from '../cli/support.ts';
import { openPageEnvironment, type PageEnvironment, RESOLVER_ARGUMENT } from './environment.ts';
import { type PageFixture, readPageFixtures } from './page-fixtures.ts';

const CONCURRENCY = 8;
/** Milliseconds to wait for the form on a broken page. */
const BROKEN_PATIENCE = 2_500;
/** On a busy machine, the forms of healthy pages load slowly. */
const HEALTHY_PATIENCE = 5_000;

/**
 * The first broken page of each cause and policy, and every sixth healthy page, because all of them
 * take two minutes. `npm run test:long` opens all.
 */
const select = (fixtures: readonly PageFixture[]): readonly PageFixture[] =>
  process.env.LONG_TESTS
    ? fixtures
    : fixtures.filter(({ expect }, index) =>
        expect === undefined
          ? index % 6 === 0
          : index === fixtures.findIndex((other) => getKind(other) === getKind(fixtures[index]!)),
      );

const getKind = ({ expect, mentions = [] }: PageFixture): string | undefined =>
  expect === 'blocked-by-policy' ? `${expect} ${mentions[0]}` : expect;

const broken = readPageFixtures('broken');
const healthy = readPageFixtures('healthy');
let environment: PageEnvironment;
let browser: Browser;

async function diagnose(fixture: PageFixture): Promise<PageDiagnosis> {
  return verifyPage(await environment.getUrl(fixture), {
    browser,
    patience: fixture.expect ? BROKEN_PATIENCE : HEALTHY_PATIENCE,
    contextOptions: { ignoreHTTPSErrors: true },
  });
}

function listMistakes({ checks }: PageDiagnosis): string[] {
  return checks.filter(({ name }) => name === 'page').map(({ message }) => message);
}

/** Describes how a diagnosis differs from what the fixture expects, or returns an empty string. */
function compare({ name, expect, mentions = [] }: PageFixture, diagnosis: PageDiagnosis): string {
  const { problem, checks } = diagnosis;
  const mistakes = listMistakes(diagnosis);
  const text = [...(problem ? [writeSupportRequest(problem, name)] : []), ...mistakes].join('\n');
  const isRight =
    problem?.cause === expect &&
    mentions.every((mention) => text.includes(mention)) &&
    mistakes.every((mistake) => mentions.some((mention) => mistake.includes(mention)));
  return isRight
    ? ''
    : `${name}: expected ${expect ?? 'no problem'} ${mentions.join()}, found ${text || 'no problem'}\n` +
        checks.map(({ status, message }) => `  ${status} ${message}\n`).join('');
}

async function compareAll(fixtures: readonly PageFixture[]): Promise<string[]> {
  const queue = [...fixtures];
  const differences: string[] = [];
  const work = async (): Promise<void> => {
    for (let fixture = queue.shift(); fixture; fixture = queue.shift()) {
      const difference = compare(fixture, await diagnose(fixture));
      if (difference) differences.push(difference);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return differences;
}

void describe('diagnosis of pages', () => {
  before(async () => {
    environment = await openPageEnvironment([...broken, ...healthy]);
    browser = await playwright.launch({
      ...chromium,
      args: [...(chromium.args ?? []), RESOLVER_ARGUMENT],
    });
  });
  after(async () => {
    await browser.close();
    await environment[Symbol.asyncDispose]();
  });

  test('names the cause of each broken page first', async () => {
    const differences = await compareAll(select(broken));
    assert.equal(differences.join('\n'), '');
  });

  test('finds no problem on healthy pages', async () => {
    const differences = await compareAll(select(healthy));
    assert.equal(differences.join('\n'), '');
  });

  test('without a browser, names no wrong cause, and most causes', async () => {
    const wrong: string[] = [];
    let found = 0;
    for (const fixture of [...broken, ...healthy]) {
      if (fixture.open?.includes('secure')) continue;
      const { problem } = await verifyPage(await environment.getUrl(fixture), {
        browser: undefined,
      });
      if (problem && problem.cause !== fixture.expect)
        wrong.push(`${fixture.name}: ${problem.cause}`);
      else if (problem) found += 1;
    }
    assert.deepEqual(wrong, []);
    assert.ok(found >= 20, String(found));
  });

  test('without a browser, names the mistakes in the HTML of a page', async () => {
    const { mentions = [] } = healthy.find(({ name }) => name === 'mistakes')!;
    const url = await findUrl('mistakes');
    const mistakes = listMistakes(await verifyPage(url, { browser: undefined }));
    const expected = mentions.filter((mention) => !mention.startsWith('--'));
    assert.equal(mistakes.length, expected.length, mistakes.join('\n'));
    for (const mention of expected)
      assert.ok(
        mistakes.some((mistake) => mistake.includes(mention)),
        mention,
      );
  });

  const findUrl = (name: string): Promise<string> =>
    environment.getUrl([...broken, ...healthy].find((fixture) => fixture.name === name)!);
  /** Has no PATH, so the command finds no browser. */
  const withoutBrowser = getCommandThread();
  const withBrowser = getCommandThread({ PATH: process.env.PATH });

  test('verify prints the diagnosis, a message to send, and the other checks', async () => {
    const url = await findUrl('wrong-form-id');
    const { status, stdout, stderr } = await withBrowser.run('verify', url);
    assert.deepEqual([status, stderr], [1, '']);
    assert.equal(
      stdout,
      `The server at ${environment.endpoint}/ has no form "spring".
The form was removed or renamed, or the form-id attribute is misspelled.

What to do: Correct the form-id attribute, or remove it to show the first form.

Fix this where you pasted the snippet, or send this message to the person who manages your website:

    The donation form on ${url} does not work for visitors.
    Cause: The server at ${environment.endpoint}/ has no form "spring". The form was removed or renamed, or the form-id attribute is misspelled.
    Fix: Correct the form-id attribute, or remove it to show the first form.
    Diagnosis: form-not-found

ok       element  on the page
`,
    );
  });

  test('verify exits with 0 if visitors see the form', async () => {
    const url = await findUrl('plain');
    const { status, stdout } = await withBrowser.run('verify', url);
    assert.equal(status, 0);
    assert.equal(
      stdout,
      `Visitors see the form on ${url}.

ok       element          on the page
ok       script           loaded from ${environment.endpoint}/donation-form.js
ok       donation server  ${environment.endpoint}/ sends the form
ok       form             visible
ok       policy           no Content-Security-Policy blocks the form
`,
    );
  });

  test('verify prints JSON', async () => {
    const url = await findUrl('paused');
    const { status, stdout } = await withoutBrowser.run('verify', url, '--json');
    const { problem, ...others } = JSON.parse(stdout) as {
      problem: Record<string, string>;
      checks: { name: string; status: string }[];
    };
    assert.deepEqual(
      [
        status,
        { ...others, checks: others.checks.map((check) => `${check.name} ${check.status}`) },
      ],
      [1, { url, status: 'broken', checks: ['element ok', 'browser unknown'] }],
    );
    assert.deepEqual(Object.keys(problem), [
      'cause',
      'headline',
      'why',
      'fix',
      'recipient',
      'request',
    ]);
    assert.deepEqual([problem.cause, problem.recipient], ['paused', 'server']);
  });

  test('verify says what it cannot check without a browser', async () => {
    const healthyUrl = await findUrl('plain');
    const healthyResult = await withoutBrowser.run('verify', healthyUrl);
    assert.equal(healthyResult.status, 0);
    assert.match(
      healthyResult.stdout,
      /^unknown +browser +not used, so .* npm install playwright-core/m,
    );
    const lateUrl = await findUrl('single-page-app');
    const { status, stdout } = await withoutBrowser.run('verify', lateUrl);
    assert.equal(status, 2);
    assert.match(stdout, /^Cannot tell without a browser whether visitors see the form on http/);
  });

  test('verify exits with 2 if it cannot open the page', async () => {
    const absent = (await findUrl('plain')).replace('plain', 'absent');
    for (const [thread, url, message] of [
      [withoutBrowser, absent, `Cannot check ${absent}: the website responded with status 404.`],
      [withBrowser, absent, `Cannot check ${absent}: the website responded with status 404.`],
      [withoutBrowser, 'http://127.0.0.1:1/', 'Cannot open http://127.0.0.1:1/: '],
      [withBrowser, 'http://127.0.0.1:1/', 'Cannot open http://127.0.0.1:1/: net::ERR_UNSAFE_PORT'],
      [withoutBrowser, 'charity.example/give', 'charity.example/give is not a URL. Use the full'],
    ] as const) {
      const { status, stdout, stderr } = await thread.run('verify', url);
      assert.deepEqual([status, stdout, stderr.startsWith(message)], [2, '', true], stderr);
    }
  });
});
