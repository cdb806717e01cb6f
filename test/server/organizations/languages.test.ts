import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FormDefinition } from '../../../src/core/schemas/form-definition.ts';
import { openDesk, problemOf, type Desk } from '../support.ts';
import { wholeForm, wholeGift } from '../full-form.ts';

async function ask(
  desk: Desk,
  query: string,
  tag?: string,
): Promise<{ status: number; etag: string; project: string | undefined }> {
  const response = await desk.handler.fetch(
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

test('a form is served in the language that is asked for, and in English where it does not speak that', async () => {
  await using desk = await openDesk({ form: wholeForm });
  for (const [query, project] of [
    ['?language=de', 'Dorfbrunnen'],
    ['?id=main&language=de-AT', 'Dorfbrunnen'],
    ['?language=DE', 'Dorfbrunnen'],
    ['', 'Village wells'],
    ['?language=', 'Village wells'],
    ['?language=tlh', 'Village wells'],
    ['?language=constructor', 'Village wells'],
  ] as const) {
    assert.equal((await ask(desk, query)).project, project, query);
  }
});

test('each language of a form has an ETag of its own', async () => {
  await using desk = await openDesk({ form: wholeForm });
  const english = await ask(desk, '?language=en');
  const german = await ask(desk, '?language=de');
  assert.notEqual(german.etag, english.etag);
  assert.deepEqual(
    [
      (await ask(desk, '', english.etag)).status,
      (await ask(desk, '?language=de', german.etag)).status,
      (await ask(desk, '?language=de', english.etag)).status,
    ],
    [304, 304, 200],
  );
});

test('a gift is taken on the definition in its own language, and on no other', async () => {
  await using desk = await openDesk({ form: wholeForm });
  const { etag } = await ask(desk, '?language=de');
  const give = async (
    language: string,
    definition: string,
    [privacy, news]: readonly string[],
  ): Promise<string> => {
    const request = await desk.request({
      ...wholeGift,
      definition,
      consents: [
        { ...wholeGift.consents[0], words: privacy },
        { ...wholeGift.consents[1], words: news },
      ],
    });
    const response = await desk.post({ ...request, form: { ...request.form, language } });
    return response.status === 200 ? 'taken' : (await problemOf(response)).code;
  };
  const english = ['I agree.', 'Write to me.'];
  const german = ['Ich stimme zu.', 'Schreiben Sie mir.'];
  assert.deepEqual(
    [
      await give('de-CH', etag, german),
      await give('de', etag, english),
      await give('en', etag, english),
      await give('de', desk.etag, german),
      await give('tlh', desk.etag, english),
    ],
    ['taken', 'consent-mismatch', 'form-outdated', 'form-outdated', 'taken'],
  );
});
