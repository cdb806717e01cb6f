import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import {
  expect,
  fillCard,
  fillDonor,
  findForm,
  findSubmitButton,
  test,
  type World,
} from './world.ts';

const { version: VERSION } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  version: string;
};

/** Adds the built script to the site as if it were an older release. */
async function addOlderRelease(world: World): Promise<void> {
  const names = (await readdir('dist/donation-form/scripts')).filter((name) =>
    /^donation-form(\..+)?\.js$/.test(name),
  );
  const release = /^donation-form\.lazy-(\w+)\.js$/m.exec(names.join('\n'))![1]!;
  const toOlderRelease = (text: string): string =>
    text
      .replaceAll(release, '0lder0ne')
      .replaceAll(`"${VERSION}"`, '"0.0.9"')
      .replaceAll(`\`${VERSION}\``, '`0.0.9`');
  for (const name of names)
    world.pages.set(
      `/older/${toOlderRelease(name)}`,
      toOlderRelease(await readFile(`dist/donation-form/scripts/${name}`, 'utf8')),
    );
}

test('two versions of the script, one of them at two URLs, coexist: each form renders, works, and charges once', async ({
  page,
  world,
}) => {
  const errors: string[] = [];
  const warnings: string[] = [];
  const requestedUrls: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
    else if (message.type() === 'warning') warnings.push(message.text());
  });
  page.on('request', (request) => requestedUrls.push(request.url()));
  await addOlderRelease(world);
  const older = '/older/donation-form.js';
  const newest = `${world.endpoint}/donation-form.js`;
  const channel = `${world.endpoint}/v0/donation-form.js`;
  const addPage = (path: string, scripts: readonly string[], body: string): void => {
    world.pages.set(
      path,
      `<!doctype html><html lang="en"><title>Give</title><link rel="icon" href="data:,">${scripts.map((src) => `<script type="module" src="${src}"></script>`).join('')}<body>${body}`,
    );
  };
  const form = `<donation-form endpoint="${world.endpoint}"></donation-form>`;
  const createWarning = (first: string, second: string): string =>
    `donation-form: This page already has version ${first}, so version ${second} is ignored. Remove one of the two script tags.`;

  addPage('/older-first', [older, newest, channel], form + form);
  await page.goto(`${world.page}/older-first`);
  await expect(findSubmitButton(page)).toHaveText(['Give $50', 'Give $50']);
  // The form can appear before the other scripts have run.
  await expect
    .poll(() => warnings)
    .toEqual([createWarning('0.0.9', VERSION), createWarning('0.0.9', VERSION)]);

  warnings.length = requestedUrls.length = 0;
  addPage('/newest-first', [channel, newest, older], '<donation-form></donation-form>');
  await page.goto(`${world.page}/newest-first`);
  await expect(findSubmitButton(page)).toHaveText('Give $50');
  await expect
    .poll(() => warnings.toSorted())
    .toEqual([createWarning(VERSION, '0.0.9'), createWarning(VERSION, VERSION)]);
  await fillDonor(page);
  await fillCard(page);
  await findSubmitButton(page).click();
  await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
  await expect(findForm(page).locator('h2')).toHaveCount(1);
  expect(await world.listCharges()).toHaveLength(1);
  expect(
    requestedUrls.filter((url) => url.includes('/v0/') || url.includes('lazy-0lder0ne')),
  ).toEqual([channel]);
  expect(errors).toEqual([]);
});
