import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'playwright/test';
import { findViolations } from './find-violations.ts';
import { fillCard, fillDonor, findSubmitButton, test } from './world.ts';

interface Demo {
  readonly page: string;
  readonly endpoint: string;
  readonly sandbox: string;
  /** Page on which to sign in to the admin pages. */
  readonly staff: string;
  readonly key: string;
  /** Sends SIGINT, as Ctrl-C does, and returns the exit code. */
  stop(): Promise<number | null>;
}

async function startDemo(folder: string, ...options: readonly string[]): Promise<Demo> {
  const child = spawn('node', ['demo/serve.ts', folder, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exitCode = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let output = '';
  for await (const chunk of child.stdout) {
    output += String(chunk);
    if (output.includes('Ctrl-C')) break;
  }
  const readUrl = (name: string): string =>
    new RegExp(`${name} +(http://\\S+)`).exec(output)?.[1] ?? '';
  return {
    page: readUrl('Demo site'),
    endpoint: readUrl('Donation server'),
    sandbox: readUrl('Sandbox platform'),
    staff: readUrl('Admin pages'),
    key: /key (\S+)\)/.exec(output)?.[1] ?? '',
    stop: () => {
      child.kill('SIGINT');
      return exitCode;
    },
  };
}

test('the demo rejects unknown options and origins', () => {
  const { status, stderr } = spawnSync('node', ['demo/serve.ts', '--help'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining("Unknown option '--help'. Usage: npm start -- [FOLDER]"),
  ]);
  const wrongOrigin = spawnSync('node', ['demo/serve.ts', '--origin', 'localhost:8000/'], {
    encoding: 'utf8',
  });
  expect(wrongOrigin.stderr).toContain("'localhost:8000/' is not an origin. Usage: npm start");
});

test("the demo's endpoint also serves your own page and its own donation page", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const origin = 'http://localhost:9000';
  const demo = await startDemo(folder, '--origin', origin);
  for (const allowed of [origin, 'http://localhost:5173', new URL(demo.endpoint).origin]) {
    const response = await fetch(`${demo.endpoint}/form`, { headers: { Origin: allowed } });
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe(allowed);
  }
  await demo.stop();
  await rm(folder, { recursive: true });
});

test("one press on the demo's page signs in as one of three people, and ends the session of the one before", async ({
  page,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const demo = await startDemo(folder);
  const signInAs = async (name: string): Promise<void> => {
    await page.goto(demo.staff);
    await page.getByRole('button', { name: `Sign in as ${name}` }).click();
  };
  await page.goto(demo.page);
  await page.getByRole('link', { name: 'The admin pages' }).click();
  expect([page.url(), await findViolations(page)]).toEqual([demo.staff, []]);
  await signInAs('Carol');
  await expect(page.getByRole('heading', { name: 'Form builder' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Configuration', exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Donations' })).toHaveCount(0);
  const carol = await page.context().cookies();

  await signInAs('Frank');
  await page.getByRole('link', { name: 'Donations', exact: true }).click();
  await expect(page.getByRole('link', { name: 'Frank Finance' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Staff', exact: true })).toHaveCount(0);

  await signInAs('Alice');
  await page.getByRole('link', { name: 'Staff', exact: true }).click();
  for (const email of ['alice', 'carol', 'frank'])
    await expect(page.getByText(`${email}@lanternwell.example`)).toBeVisible();
  await page.context().addCookies(carol);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in to the admin pages');
  expect(await demo.stop()).toBe(0);
  await rm(folder, { recursive: true });
});

test('the demo uses free ports, exits cleanly, and keeps donations across restarts', async ({
  page,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const first = await startDemo(folder);
  const same = spawnSync('node', ['demo/serve.ts', folder], { encoding: 'utf8' });
  expect([same.status, same.stderr]).toEqual([
    1,
    expect.stringMatching(/in use by another process[^]+\nUsage: npm start[^\n]+\n$/),
  ]);
  const otherFolder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const second = await startDemo(otherFolder);
  expect(new Set([first.page, first.sandbox, second.page, second.sandbox]).size).toBe(4);
  await page.goto(second.page);
  await page.getByRole('radio', { name: 'Monthly' }).check();
  await expect(page.getByRole('radio', { name: /^\$10(?!0)/ })).toBeVisible();
  await page.getByRole('radio', { name: 'One-time' }).check();
  await fillDonor(page);
  await fillCard(page);
  await findSubmitButton(page).click();
  await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
  await page.getByRole('link', { name: 'See the thank-you email and the receipt' }).click();
  await page.getByRole('link', { name: /^Open receipt-TEST-\d+-000001\.html$/ }).click();
  await expect(page.getByRole('heading', { name: 'Donation receipt' })).toBeVisible();
  await expect(page.getByText('This is a test, not a receipt. No money was moved.')).toBeVisible();
  expect(await first.stop()).toBe(0);
  expect(await second.stop()).toBe(0);

  const again = await startDemo(otherFolder);
  const response = await fetch(`${again.sandbox}/api/activity/list`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${again.key}` },
    body: JSON.stringify({ skip: 0, take: 1 }),
  });
  expect(await response.json()).toMatchObject({
    items: [{ displayText: expect.stringContaining('Ana Souza gave 50.00 USD once') }],
  });
  expect(await again.stop()).toBe(0);
  await Promise.all([folder, otherFolder].map((path) => rm(path, { recursive: true })));
});
