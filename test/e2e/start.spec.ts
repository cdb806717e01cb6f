import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'playwright/test';
import { fillCard, fillDonor, giveButton, test } from './world.ts';

interface Demo {
  readonly page: string;
  readonly sandbox: string;
  readonly key: string;
  /** Presses Ctrl-C. @returns the exit code. */
  end(): Promise<number | null>;
}

async function startDemo(folder: string): Promise<Demo> {
  const child = spawn('node', ['demo/serve.ts', folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let output = '';
  for await (const piece of child.stdout) {
    output += String(piece);
    if (output.includes('Ctrl-C')) break;
  }
  const address = (name: string): string =>
    new RegExp(`${name} +(http://\\S+)`).exec(output)?.[1] ?? '';
  return {
    page: address('Demo page'),
    sandbox: address('Sandbox platform'),
    key: /key (\S+)\)/.exec(output)?.[1] ?? '',
    end: () => {
      child.kill('SIGINT');
      return ended;
    },
  };
}

test('the demo takes the name of a folder, and no option', () => {
  const { status, stderr } = spawnSync('node', ['demo/serve.ts', '--help'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining('npm start takes the name of a folder'),
  ]);
});

test('the demo takes free ports, ends cleanly, and keeps what was given over a restart', async ({
  page,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const first = await startDemo(folder);
  const otherFolder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const second = await startDemo(otherFolder);
  expect(new Set([first.page, first.sandbox, second.page, second.sandbox]).size).toBe(4);
  await page.goto(second.page);
  await fillDonor(page);
  await fillCard(page);
  await giveButton(page).click();
  await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
  expect(await first.end()).toBe(0);
  expect(await second.end()).toBe(0);

  const again = await startDemo(otherFolder);
  const response = await fetch(`${again.sandbox}/api/activity/list`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${again.key}` },
    body: JSON.stringify({ skip: 0, take: 1 }),
  });
  expect(await response.json()).toMatchObject({
    items: [{ displayText: expect.stringContaining('Ana Souza gave 50.00 USD once') }],
  });
  expect(await again.end()).toBe(0);
  await Promise.all([folder, otherFolder].map((path) => rm(path, { recursive: true })));
});
