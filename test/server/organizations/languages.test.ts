import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FormDefinition } from '../../../src/core/schemas/form-definition.ts';
import { createFullForm, fullDonation } from '../full-form.ts';
import { readProblem, startServer, type TestServer } from '../support.ts';

async function fetchForm(
  server: TestServer,
  query: string,
  tag?: string,
): Promise<{ status: number; etag: string; project: string | undefined }> {
  const response = await server.fetch(`/form${query}`, {
    headers: tag === undefined ? {} : { 'If-None-Match': tag },
  });
  const project =
    response.status === 200
      ? ((await response.json()) as FormDefinition).projects[1]?.name
      : undefined;
  return { status: response.status, etag: response.headers.get('ETag') ?? '', project };
}

test('serves a form in the requested language, or in English if it is not available', async () => {
  await using server = await startServer({ form: createFullForm });
  for (const [query, project] of [
    ['?language=de', 'Dorfbrunnen'],
    ['?id=main&language=de-AT', 'Dorfbrunnen'],
    ['?language=DE', 'Dorfbrunnen'],
    ['', 'Village wells'],
    ['?language=', 'Village wells'],
    ['?language=tlh', 'Village wells'],
    ['?language=constructor', 'Village wells'],
  ] as const) {
    assert.equal((await fetchForm(server, query)).project, project, query);
  }
});

test('gives each language of a form its own ETag', async () => {
  await using server = await startServer({ form: createFullForm });
  const english = await fetchForm(server, '?language=en');
  const german = await fetchForm(server, '?language=de');
  assert.notEqual(german.etag, english.etag);
  for (const [query, { etag }, status] of [
    ['', english, 304],
    ['?language=de', german, 304],
    ['?language=de', english, 200],
  ] as const)
    assert.equal((await fetchForm(server, query, etag)).status, status);
});

test('accepts a donation only with the form definition in its own language', async () => {
  await using server = await startServer({ form: createFullForm });
  const { etag } = await fetchForm(server, '?language=de');
  const english = ['I agree.', 'Write to me.'];
  const german = ['Ich stimme zu.', 'Schreiben Sie mir.'];
  for (const [language, definition, texts, code] of [
    ['de-CH', etag, german, undefined],
    ['de', etag, english, 'consent-mismatch'],
    ['en', etag, english, 'form-outdated'],
    ['de', server.etag, german, 'form-outdated'],
    ['tlh', server.etag, english, undefined],
  ] as const) {
    const consents = fullDonation.consents.map((consent, index) => ({
      ...consent,
      text: texts[index],
    }));
    const request = await server.createRequest({ ...fullDonation, definition, consents });
    const response = await server.postDonation({ ...request, form: { ...request.form, language } });
    assert.equal((await readProblem(response)).code, code, language);
  }
});
