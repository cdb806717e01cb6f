import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FormDefinition } from '../../../src/core/schemas/form-definition.ts';
import { startServer, readProblem, type TestServer } from '../support.ts';
import { createFullForm, fullDonation } from '../full-form.ts';

async function fetchForm(
  server: TestServer,
  query: string,
  tag?: string,
): Promise<{ status: number; etag: string; project: string | undefined }> {
  const response = await server.handler.fetch(
    new Request(`https://give.example/form${query}`, {
      headers: tag === undefined ? {} : { 'If-None-Match': tag },
    }),
  );
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
  assert.deepEqual(
    [
      (await fetchForm(server, '', english.etag)).status,
      (await fetchForm(server, '?language=de', german.etag)).status,
      (await fetchForm(server, '?language=de', english.etag)).status,
    ],
    [304, 304, 200],
  );
});

test('accepts a donation only with the form definition in its own language', async () => {
  await using server = await startServer({ form: createFullForm });
  const { etag } = await fetchForm(server, '?language=de');
  const postDonationInLanguage = async (
    language: string,
    definition: string,
    [privacy, news]: readonly string[],
  ): Promise<string> => {
    const request = await server.createRequest({
      ...fullDonation,
      definition,
      consents: [
        { ...fullDonation.consents[0], text: privacy },
        { ...fullDonation.consents[1], text: news },
      ],
    });
    const response = await server.postDonation({ ...request, form: { ...request.form, language } });
    return response.status === 200 ? 'taken' : (await readProblem(response)).code;
  };
  const english = ['I agree.', 'Write to me.'];
  const german = ['Ich stimme zu.', 'Schreiben Sie mir.'];
  assert.deepEqual(
    [
      await postDonationInLanguage('de-CH', etag, german),
      await postDonationInLanguage('de', etag, english),
      await postDonationInLanguage('en', etag, english),
      await postDonationInLanguage('de', server.etag, german),
      await postDonationInLanguage('tlh', server.etag, english),
    ],
    ['taken', 'consent-mismatch', 'form-outdated', 'form-outdated', 'taken'],
  );
});
