import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type InlineConfig, type Rolldown } from 'vite';
import { installExamples } from '../install-examples.ts';
import {
  World,
  expect,
  fillCard,
  fillDonor,
  findSubmitButton,
  readReference,
  test,
} from './world.ts';

/** Files that render the example's form on a server, and hydrate it when `hydrate()` is called. */
const FILES: Readonly<Record<string, string>> = {
  'page.tsx': `import { StrictMode, useState } from 'react';
import { RenderedForm } from './rendered.tsx';
export function Page() {
  const [count, setCount] = useState(0);
  const [reference, setReference] = useState('');
  return (
    <StrictMode>
      <button onClick={() => setCount(count + 1)}>Render again</button>
      <output>{count} {reference}</output>
      <RenderedForm onGift={(gift) => setReference(gift)} />
    </StrictMode>
  );
}`,
  'server.tsx': `import { renderToString } from 'react-dom/server';
import { Page } from './page.tsx';
export default renderToString(<Page />);`,
  'browser.tsx': `import { hydrateRoot } from 'react-dom/client';
import { Page } from './page.tsx';
globalThis.hydrate = () => hydrateRoot(document.getElementById('root'), <Page />);`,
};

let world: World;

test.beforeAll(async () => {
  const folder = await installExamples(['react']);
  world = await World.open();
  const root = join(folder, 'react');
  for (const [file, code] of Object.entries(FILES)) await writeFile(join(root, file), code);
  const config: InlineConfig = {
    root,
    base: './',
    logLevel: 'error',
    // React's development build reports differences that the other one ignores.
    define: { 'process.env.NODE_ENV': '"development"' },
  };
  await build({ ...config, build: { ssr: 'server.tsx', outDir: 'server' } });
  const { default: html } = (await import(pathToFileURL(join(root, 'server/server.js')).href)) as {
    default: string;
  };
  const { output } = (await build({
    ...config,
    build: { write: false, minify: false, rolldownOptions: { input: join(root, 'browser.tsx') } },
  })) as Rolldown.RolldownOutput;
  await rm(folder, { recursive: true });
  const useEndpoint = (text: string): string =>
    text.replaceAll('https://give.example.org', world.endpoint);
  for (const file of output)
    if (file.type === 'chunk')
      world.pages.set(`/hydration/${file.fileName}`, useEndpoint(file.code));
  world.pages.set(
    '/hydration/',
    `<!doctype html><html lang="en"><title>Give</title><link rel="icon" href="data:,">
<div id="root">${useEndpoint(html)}</div>
<script type="module" src="${output[0].fileName}"></script></html>`,
  );
});
test.afterAll(() => world.close());

test('react: a form used before hydration keeps entries and card, then and when rendered again', async ({
  page,
}) => {
  const errors: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) errors.push(message.text());
  });
  await page.goto(`${world.page}/hydration/`);
  await fillDonor(page);
  await fillCard(page);
  await page.evaluate(() => (globalThis as unknown as { hydrate: () => void }).hydrate());
  await page.getByRole('button', { name: 'Render again' }).click();
  await expect(page.locator('output')).toHaveText('1');
  await expect(page.getByLabel('First name')).toHaveValue('Ana');
  await findSubmitButton(page).click();
  await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
  await expect(page.locator('output')).toHaveText(`1 ${await readReference(page)}`);
  expect(errors).toEqual([]);
});
