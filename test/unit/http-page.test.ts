import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { extractCode, extractTableRows } from '../markdown-table.ts';

const page = readFileSync('docs/reference/http.md', 'utf8');
const listRequests = (heading: string): string[] =>
  extractTableRows(page, heading).flatMap(([request]) => extractCode(request!));
const source = globSync('src/server/http/**/*.ts')
  .map((file) => readFileSync(file, 'utf8'))
  .join('');

/** Formats a route as on the page: `/countries/:code` as `/countries/<code>`. */
const formatPath = (route: string): string =>
  route.replace(/:(\w+)(\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\})?/g, '<$1>');

test('docs/reference/http.md lists every route of the public listener, and no other route', () => {
  const routes = [...source.matchAll(/app\.(get|post)\(\s*['`]([^'`]+)['`]/g)].map(
    ([, method, route]) =>
      `${method!.toUpperCase()} ${formatPath(route!.replace('${NOTICES_FILE}', 'THIRD-PARTY-NOTICES.txt'))}`,
  );
  const loopRoutes = [...source.matchAll(/\['(\/donations\/\w+)', '\w+'\]/g)].map(
    ([, route]) => `POST ${route}`,
  );
  assert.equal(loopRoutes.length, 2);
  // Webhooks are also accepted with a trailing slash.
  const webhookRoutes = [...source.matchAll(/const (?:WEBHOOK_)?PATH = '([^']+)'/g)].map(
    ([, route]) => `POST ${formatPath(route!)}`,
  );
  assert.equal(webhookRoutes.length, 2);
  // The route that matches all paths sets the patterns that it stands for.
  const wildcardRoutes = [...source.matchAll(/c\.set\('route', '([^']+)'\)/g)].map(
    ([, route]) => `GET ${formatPath(route!)}`,
  );
  assert.equal(wildcardRoutes.length, 2);
  assert.deepEqual(
    [...listRequests('For your pages and services'), ...listRequests('For the form itself')].sort(),
    [
      ...new Set(
        [...routes, ...loopRoutes, ...webhookRoutes, ...wildcardRoutes].filter(
          (route) => route !== 'GET *',
        ),
      ),
    ].sort(),
  );
});

test('docs/reference/http.md names every script', () => {
  const [, names] = /const SCRIPT_NAME =\s+\/\^\(\?:(.+)\)\\\.js\$\//.exec(source)!;
  const scripts = names!.replace('(?:\\.[\\w-]+)?', '').split('|');
  assert.ok(scripts.length > 5);
  for (const name of scripts) assert.ok(page.includes(`\`${name}.js\``), name);
});

test('docs/reference/http.md gives the maximum body sizes', () => {
  for (const [, name, kilobytes] of source.matchAll(/const (MAX_\w+_BYTES) = (\d+) \* 1024/g))
    if (name !== 'MAX_REPORT_BYTES') assert.ok(page.includes(`${kilobytes} kB`), name);
});

test('docs/reference/http.md gives the limits of the listener', () => {
  const listener = readFileSync('src/server/http/listen.ts', 'utf8');
  const [, headerSize] = /maxHeaderSize: (\d+) \* 1024/.exec(listener)!;
  assert.ok(page.includes(`responds with 431 to more than ${headerSize} kB of headers`));
  const [headers, request] = ['headersTimeout', 'requestTimeout'].map((name) =>
    Number(new RegExp(`${name}: (\\d+)_000`).exec(listener)![1]),
  );
  assert.ok(page.includes(`with 408 if the headers take longer than ${headers} seconds`));
  assert.ok(page.includes(`the request takes longer than ${request}.`));
});

test('docs/reference/http.md lists the open paths of the admin listener', () => {
  const admin = readFileSync('src/server/admin/create-admin-app.ts', 'utf8');
  const [, paths] = /OPEN_PATHS = \[([^\]]+)\]/.exec(admin)!;
  const open = [...paths!.matchAll(/'([^']+)'/g)].map(([, path]) => `GET ${path}`);
  assert.equal(open.length, 3);
  const listed = listRequests('Admin listener');
  for (const path of open) assert.ok(listed.includes(path), path);
});
