import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type InlineConfig, type Rolldown } from 'vite';
import { installExamples } from '../install-examples.ts';
import {
  expect,
  fillCard,
  fillDonor,
  findSubmitButton,
  readReference,
  test,
  World,
} from './world.ts';

interface Framework {
  readonly example: string;
  /** Code of a page with the example's form. */
  readonly page?: { readonly file: string; readonly code: string };
  /** Code that exports the page's HTML. */
  readonly server: string;
  /** Code that hydrates the page when `hydrate()` is called. */
  readonly browser: string;
  /** Name of a button that changes the page, and the text that the page shows then. */
  readonly button: string;
  readonly output: string;
}

const REACT_SERVER = `import { renderToString } from 'react-dom/server';
import { Page } from './page.tsx';
export default renderToString(<Page />);`;
const REACT_BROWSER = `import { hydrateRoot } from 'react-dom/client';
import { Page } from './page.tsx';
globalThis.hydrate = () => void hydrateRoot(document.getElementById('root'), <Page />);`;

const FRAMEWORKS: Readonly<Record<string, Framework>> = {
  react: {
    example: 'react',
    page: {
      file: 'page.tsx',
      code: `import { StrictMode, useState } from 'react';
import { RenderedForm } from './rendered.tsx';
export function Page() {
  const [count, setCount] = useState(0);
  const [reference, setReference] = useState('');
  return (
    <StrictMode>
      <button onClick={() => setCount(count + 1)}>Render again</button>
      <output>{count}</output>
      <ol><li>{reference}</li></ol>
      <RenderedForm onGift={(gift) => setReference(gift)} />
    </StrictMode>
  );
}`,
    },
    server: REACT_SERVER,
    browser: REACT_BROWSER,
    button: 'Render again',
    output: '1',
  },
  'next, with a script tag': {
    example: 'next',
    page: {
      file: 'page.tsx',
      code: `import { StrictMode, useEffect, useState } from 'react';
import Form from './app/page.js';
export function Page() {
  const [count, setCount] = useState(0);
  const [reference, setReference] = useState('');
  useEffect(() => {
    addEventListener('donation-form-success', ({ reference }) => setReference(reference));
  }, []);
  return (
    <StrictMode>
      <button onClick={() => setCount(count + 1)}>Render again</button>
      <output>{count}</output>
      <ol><li>{reference}</li></ol>
      <Form />
    </StrictMode>
  );
}`,
    },
    server: REACT_SERVER,
    browser: REACT_BROWSER,
    button: 'Render again',
    output: '1',
  },
  vue: {
    example: 'vue',
    page: {
      file: 'App.vue',
      // As docs/install/vue.md says, the form is empty.
      code: (await readFile('examples/vue/App.vue', 'utf8')).replace(
        /\s*<a[^>]*>Other ways to give<\/a>\s*/,
        '',
      ),
    },
    server: `import { createSSRApp } from 'vue';
import { renderToString } from 'vue/server-renderer';
import App from './App.vue';
export default await renderToString(createSSRApp(App));`,
    browser: `import { createSSRApp } from 'vue';
import App from './App.vue';
globalThis.hydrate = () => void createSSRApp(App).mount('#root');`,
    button: 'Suggest $150',
    output: '150 dollars',
  },
  svelte: {
    example: 'svelte',
    server: `import { render } from 'svelte/server';
import App from './App.svelte';
export default render(App).body;`,
    browser: `import { hydrate } from 'svelte';
import App from './App.svelte';
globalThis.hydrate = () => void hydrate(App, { target: document.getElementById('root') });`,
    button: 'Suggest $150',
    output: '150 dollars',
  },
};

/**
 * Renders the example's form on a server.
 * @returns path of the page.
 */
async function addRenderedPage(world: World, name: string): Promise<string> {
  const { example, page, server, browser } = FRAMEWORKS[name]!;
  const folder = await installExamples([example]);
  const root = join(folder, example);
  if (page) await writeFile(join(root, page.file), page.code);
  await writeFile(join(root, 'server.tsx'), server);
  await writeFile(join(root, 'browser.tsx'), browser);
  const config: InlineConfig = {
    root,
    base: './',
    logLevel: 'error',
    // The development builds of React and Vue report differences that the others ignore.
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
    text.replace(/https:\/\/give\.example\.org|(?<=["'])\/give\b/g, world.endpoint);
  for (const file of output)
    if (file.type === 'chunk')
      world.pages.set(`/hydration/${file.fileName}`, useEndpoint(file.code));
  world.pages.set(
    '/hydration/',
    `<!doctype html><html lang="en"><title>Give</title><link rel="icon" href="data:,">
<div id="root">${useEndpoint(html)}</div>
<script type="module" src="${output[0].fileName}"></script></html>`,
  );
  return '/hydration/';
}

for (const [name, { button, output }] of Object.entries(FRAMEWORKS))
  test(`${name}: a form used before hydration keeps entries and card, then and when rendered again`, async ({
    page,
    world,
  }) => {
    const errors: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) errors.push(message.text());
    });
    await page.goto(world.page + (await addRenderedPage(world, name)));
    await fillDonor(page);
    await fillCard(page);
    await page.evaluate(() => (globalThis as unknown as { hydrate: () => void }).hydrate());
    await page.getByRole('button', { name: button }).click();
    await expect(page.locator('output')).toHaveText(output);
    await expect(page.getByLabel('First name')).toHaveValue('Ana');
    await findSubmitButton(page).click();
    await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
    await expect(page.locator('li', { hasText: await readReference(page) })).toBeVisible();
    expect(errors).toEqual([]);
  });
