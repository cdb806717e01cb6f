import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { build } from 'vite';
import { extractCodeBlocks } from '../code-blocks.ts';
import { installExamples } from '../install-examples.ts';

const NAMES = ['react', 'vue', 'svelte', 'angular'];
const installed = installExamples(NAMES);
after(async () => rm(await installed, { recursive: true }));

/**
 * Type-checks an example together with an additional file.
 * @returns line numbers of the file with errors, and the full text of other errors.
 */
async function findErrorLines(
  example: string,
  [program, ...words]: readonly [string, ...string[]],
  file: string,
  text: string,
): Promise<(number | string)[]> {
  const folder = join(await installed, example);
  await writeFile(join(folder, file), text);
  const output = await new Promise<string>((said) => {
    execFile(
      process.execPath,
      [resolve('node_modules', program), ...words],
      { cwd: folder },
      (_error, stdout, stderr) => said(stripVTControlCharacters(stdout + stderr)),
    );
  });
  const complaints = output
    .split('\n')
    .filter(
      (line) =>
        /error/i.test(line) &&
        !/^Found|found \d+ error/.test(line) &&
        !line.includes(' COMPLETED '),
    );
  return [
    ...new Set(
      complaints.map((line) => Number(new RegExp(`${file}"?[(: ](\\d+)`).exec(line)?.[1]) || line),
    ),
  ].sort((a, b) => Number(a) - Number(b));
}

const SETTINGS = "{ giftInfo: { frequency: 'fortnightly' } }";

/** Lists the numbers of the eight lines that begin with the misspelled `amuont`. */
function listWrongLines(code: string): number[] {
  const first = code.split('\n').findIndex((line) => line.includes('amuont')) + 1;
  return Array.from({ length: 8 }, (_, index) => first + index);
}

test('React: accepts the example and valid markup, and rejects unknown names and wrong types', async () => {
  const code = `import type {} from 'donation-form/react';
import { createRef } from 'react';
export const right = [
  <donation-form
    className="wide" slot="aside" ref={createRef<HTMLElementTagNameMap['donation-form']>()}
    endpoint="/" formId="main" form-id="main" amount={25} amounts={[25, '50']}
    project-preselect="WATER" coverCosts cover-costs="true" keepUrlParams success-url="/" debug
    settings={{ giftInfo: { amount: 5 } }}
    ondonation-form-load={() => undefined}
    ondonation-form-submit={(event) => event.preventDefault()}
    ondonation-form-error={({ code }) => code.length}
    onClick={() => undefined}
  >
    Else
  </donation-form>,
  <donation-button form-id="main" amount={50}><a href="/give">Give</a></donation-button>,
  <donation-goal goal="winter">Soon</donation-goal>,
];
export const wrong = [
  <donation-form amuont={25} />,
  <donation-form amount={true} />,
  <donation-form form-id={3} />,
  <donation-form settings={${SETTINGS}} />,
  <donation-form ondonation-form-success={({ code }) => code} />,
  <donation-form ondonation-form-change={(event: MouseEvent) => event.pageX} />,
  <donation-button settings={{}} />,
  <donation-goal gaol="winter" />,
];
`;
  assert.deepEqual(
    await findErrorLines('react', ['typescript/bin/tsc'], 'tags.tsx', code),
    listWrongLines(code),
  );
});

test('Vue: accepts the example and valid markup, and rejects unknown names and wrong types', async () => {
  const code = `<script setup lang="ts">
import type {} from 'donation-form/vue';
</script>
<template>
  <donation-form
    class="wide" endpoint="/" form-id="main" :amount="25" :amounts="[25, '50']"
    project-preselect="WATER" cover-costs="true" keep-url-params success-url="/" debug
    :settings="{ giftInfo: { amount: 5 } }"
    @donation-form-load="() => undefined"
    @donation-form-submit="(event) => event.preventDefault()"
    @donation-form-error="({ code }) => code.length"
  >
    Else
  </donation-form>
  <donation-button form-id="main" :amount="50"><a href="/give">Give</a></donation-button>
  <donation-goal goal="winter">Soon</donation-goal>
  <donation-form :amuont="25" />
  <donation-form :amount="true" />
  <donation-form :form-id="3" />
  <donation-form :settings="${SETTINGS}" />
  <donation-form @donation-form-success="({ code }) => code" />
  <donation-form @donation-form-succes="() => undefined" />
  <donation-button :settings="{}" />
  <donation-goal gaol="winter" />
</template>
`;
  assert.deepEqual(
    await findErrorLines('vue', ['vue-tsc/bin/vue-tsc.js'], 'Tags.vue', code),
    listWrongLines(code),
  );
});

test('Svelte: accepts the example and valid markup, and rejects unknown names and wrong types', async () => {
  const code = `<script lang="ts">
  import type {} from 'donation-form/svelte';
</script>
<donation-form
  class="wide" endpoint="/" formId="main" form-id="main" amount={25} amounts={[25, '50']}
  project-preselect="WATER" coverCosts cover-costs="true" keepUrlParams success-url="/" debug
  settings={{ giftInfo: { amount: 5 } }}
  ondonation-form-load={() => undefined}
  ondonation-form-submit={(event) => event.preventDefault()}
  ondonation-form-error={({ code }) => code.length}
>
  Else
</donation-form>
<donation-button form-id="main" amount={50}><a href="/give">Give</a></donation-button>
<donation-goal goal="winter">Soon</donation-goal>
<donation-form amuont={25} />
<donation-form amount={true} />
<donation-form form-idd="main" />
<donation-form settings={${SETTINGS}} />
<donation-form ondonation-form-success={({ code }) => code} />
<donation-form ondonation-form-succes={() => undefined} />
<donation-button settings={{}} />
<donation-goal gaol="winter" />
`;
  assert.deepEqual(
    await findErrorLines(
      'svelte',
      ['svelte-check/bin/svelte-check', '--output', 'machine', '--tsconfig', './tsconfig.json'],
      'Tags.svelte',
      code,
    ),
    listWrongLines(code),
  );
});

test('Angular: accepts the example and rejects an event handler of the wrong type', async () => {
  assert.deepEqual(
    await findErrorLines(
      'angular',
      ['@angular/compiler-cli/bundles/src/bin/ngc.js', '-p', 'tsconfig.json'],
      'tags.ts',
      `import { CUSTOM_ELEMENTS_SCHEMA, Component } from '@angular/core';
import type {} from 'donation-form';
const schemas = [CUSTOM_ELEMENTS_SCHEMA];
@Component({ selector: 'app-right', schemas, template: '<donation-form (donation-form-error)="say($event.code)" />' })
export class Right { say(code: string) { return code; } }
@Component({ selector: 'app-wrong', schemas, template: '<donation-form (donation-form-success)="say($event.code)" />' })
export class Wrong { say(code: string) { return code; } }
`,
    ),
    [6],
  );
});

/** Modules that render an example on the server. */
const SERVER_ENTRIES: Readonly<Record<string, string>> = {
  React: `import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { RenderedForm } from './rendered.tsx';
export default renderToString(createElement(RenderedForm));`,
  Vue: `import { createSSRApp } from 'vue';
import { renderToString } from 'vue/server-renderer';
import App from './App.vue';
export default await renderToString(createSSRApp(App));`,
  Svelte: `import { render } from 'svelte/server';
import App from './App.svelte';
export default render(App).body;`,
};

for (const [name, code] of Object.entries(SERVER_ENTRIES))
  test(`${name}: the example renders on a server, with attributes and the fallback link`, async () => {
    const root = join(await installed, name.toLowerCase());
    await writeFile(join(root, 'server.js'), code);
    await build({ root, logLevel: 'error', build: { ssr: 'server.js', outDir: 'server' } });
    const { default: html } = (await import(
      pathToFileURL(join(root, 'server/server.js')).href
    )) as {
      default: string;
    };
    assert.match(html, /<donation-form[^>]* endpoint="https:\/\/give\.example\.org"[^>]*>/);
    assert.match(html, /<donation-form[^>]* form-id="main"[^>]*>/);
    assert.ok(html.includes('>Other ways to give</a>'));
  });

/** The examples that each page shows, in order. */
const SHOWN_EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  'docs/install/react.md': ['react/main.tsx', 'react/rendered.tsx'],
  'docs/install/vue.md': ['vue/App.vue', 'vue/vite.config.js'],
  'docs/install/svelte.md': ['svelte/App.svelte'],
  'docs/install/angular.md': ['angular/give.ts'],
};

for (const [page, files] of Object.entries(SHOWN_EXAMPLES))
  test(`${page} shows the examples unchanged, and no other code`, async () => {
    assert.deepEqual(
      extractCodeBlocks(page).map(({ code }) => code),
      await Promise.all(files.map(async (file) => readFile(`examples/${file}`, 'utf8'))),
    );
  });

test('the examples depend on the tested versions and on the current package', async () => {
  const readPackageFile = async (
    file: string,
  ): Promise<{
    version: string;
    dependencies: Record<string, string>;
    devDependencies: Record<string, string>;
  }> =>
    JSON.parse(await readFile(file, 'utf8')) as {
      version: string;
      dependencies: Record<string, string>;
      devDependencies: Record<string, string>;
    };
  const project = await readPackageFile('package.json');
  const tests = await readPackageFile('test/package.json');
  const tested = { ...project.devDependencies, ...tests.devDependencies };
  for (const name of NAMES) {
    const {
      dependencies: { 'donation-form': tarball, ...others },
      devDependencies,
    } = await readPackageFile(`examples/${name}/package.json`);
    const all = { ...others, ...devDependencies };
    assert.equal(tarball, `file:donation-form-${project.version}.tgz`);
    assert.deepEqual(
      all,
      Object.fromEntries(Object.keys(all).map((dependency) => [dependency, tested[dependency]])),
      name,
    );
  }
});
