import assert from 'node:assert/strict';
import { test } from 'node:test';
import ts from 'typescript';
import { listSentences } from '../../scripts/documentation-sentences.ts';
import { listFunctions, listMessages, listTexts } from '../../scripts/source-texts.ts';

test('lists comments and messages with their lines', () => {
  const code = `
    /** Sends the message to the server. */
    log('The message was not sent.');
    log(\`The server \${name} did not respond.\`);
    // Too short.
    log('not prose');`;
  assert.deepEqual(listTextsOf(code), [
    'src/file.ts:2 Sends the message to the server.',
    'src/file.ts:3 The message was not sent.',
    'src/file.ts:4 The server ${name} did not respond.',
  ]);
});

test('joins concatenated strings, and lists no parts of them', () => {
  const code = `log('The message to ' + name + \`, \${isLate ? 'which was sent late' : ''},\` +
    ' was not delivered.');`;
  assert.deepEqual(listTextsOf(code), [
    "src/file.ts:1 The message to ${name}, ${isLate ? 'which was sent late' : ''}, was not delivered.",
  ]);
});

test('joins line comments on consecutive lines', () => {
  const code = `
    // The first line of a comment
    // continues on the second line.

    // This is another comment.
    send();`;
  assert.deepEqual(listTextsOf(code), [
    'src/file.ts:2 The first line of a comment continues on the second line.',
    'src/file.ts:5 This is another comment.',
  ]);
});

test('lists no SQL, markup, or styles', () => {
  const code = `
    run('DELETE FROM donors AS d WHERE d.name is null');
    run(sql\`WHERE name is not null and id = 1\`);
    render('<p class="note">This is a note for donors.</p>');
    add('main { display: grid; inset: 0 auto auto 0 }');`;
  assert.deepEqual(listTextsOf(code), []);
});

test('lists comments, but no messages, of files with translations or quoted messages', () => {
  const code = `
    /** Card declined by the bank. */
    const message = 'Your card has been declined.';`;
  const comment = 'Card declined by the bank.';
  const files = ['src/sandbox/stripe/payments.ts', 'src/sandbox/paypal/browser/translations.ts'];
  for (const file of files) assert.deepEqual(listTextsOf(code, file), [`${file}:2 ${comment}`]);
  assert.equal(listTextsOf(code, 'src/sandbox/paypal/pages/pages.ts').length, 2);
});

test('lists functions and methods with their classes', () => {
  const code = `
    function send() { return 1; }
    class Server { start() { return send(); } stop() {} }`;
  assert.deepEqual(listFunctions(parseCode(code)), [
    'src/file.ts send',
    'src/file.ts Server.start',
  ]);
});

function listTextsOf(code: string, file?: string): string[] {
  return listTexts(parseCode(code, file));
}

function parseCode(code: string, file = 'src/file.ts'): ts.SourceFile {
  return ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
}

test('lists messages without comments', () => {
  const source = ts.createSourceFile(
    'src/file.ts',
    "// A comment about the message.\nlog('The message was not sent.');",
    ts.ScriptTarget.Latest,
    true,
  );
  assert.deepEqual(listMessages(source), ['src/file.ts:2 The message was not sent.']);
});

test('lists the sentences of a page, but no code or names', () => {
  const page = [
    '# Run the server yourself',
    '',
    'The server listens on a port. It needs `Node 24` or later, such as 24.1.',
    '',
    '| field | meaning |',
    '| --- | --- |',
    '| `port` | the port of the server |',
    '',
    '```sh',
    'echo this is not a sentence',
    '```',
  ].join('\n');
  assert.deepEqual(listSentences('docs/page.md', page), [
    'docs/page.md:1 Run the server yourself',
    'docs/page.md:3 The server listens on a port.',
    'docs/page.md:3 It needs `Node 24` or later, such as 24.1.',
    'docs/page.md:7 the port of the server',
  ]);
});
