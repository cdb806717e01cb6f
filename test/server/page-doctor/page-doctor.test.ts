import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chromium as playwright, type Browser } from 'playwright';
import { writeRequest, type PageDiagnosis } from '../../../src/core/page-diagnosis/index.ts';
import { verifyPage } from '../../../src/server/diagnostics/page/verify-page.ts';
import { chromium } from '../../browsers.ts';
import { PageEnvironment, RESOLVER_ARGUMENT } from './environment.ts';
import { readPageFixtures, type PageFixture } from './page-fixtures.ts';

/** Pages that are open at the same time. */
const CONCURRENCY = 6;
/** Milliseconds to wait for late forms. */
const PATIENCE = 2_000;

const broken = readPageFixtures('broken');
const healthy = readPageFixtures('healthy');
let environment: PageEnvironment;
let browser: Browser;

async function diagnose(fixture: PageFixture): Promise<PageDiagnosis> {
  return verifyPage(await environment.getUrl(fixture), {
    browser,
    patience: PATIENCE,
    contextOptions: { ignoreHTTPSErrors: true },
  });
}

/** Describes how a diagnosis differs from what the fixture expects, or returns an empty string. */
function compare({ name, expect, mentions = [] }: PageFixture, diagnosis: PageDiagnosis): string {
  const { problem, checks } = diagnosis;
  const text = problem ? writeRequest(problem, name) : '';
  const isRight = problem?.cause === expect && mentions.every((mention) => text.includes(mention));
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
      const started = Date.now();
      const difference = compare(fixture, await diagnose(fixture));
      if (process.env.TIMES) console.log(fixture.name, Date.now() - started);
      if (difference) differences.push(difference);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return differences;
}

void describe('diagnosis of pages', () => {
  before(async () => {
    environment = await PageEnvironment.open([...broken, ...healthy]);
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
    const differences = await compareAll(broken);
    assert.equal(differences.join('\n'), '');
  });

  test('finds no problem on healthy pages', async () => {
    const differences = await compareAll(healthy);
    assert.equal(differences.join('\n'), '');
  });
});
