import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { receiveAllMail } from './received-mail.ts';

/** What the recipient's mail server adds. SpamAssassin distrusts addresses for documentation. */
const RECEIVED = [
  'Received: from smtp.lanternwell.example (smtp.lanternwell.example [185.199.108.153])',
  '\tby mx.example.org (Postfix) with ESMTPS id 4B5C6D7E8F',
  `\tfor <ana@example.org>; ${new Date().toUTCString().replace('GMT', '+0000')}`,
  '',
].join('\r\n');

interface Verdict {
  readonly score: number;
  readonly rules: string;
}

/**
 * Compares the counts of Latin and Cyrillic e, and so gives a point to Ukrainian text with the
 * English names of the test's organization.
 */
const IGNORED_RULE = 'score MIXED_ES 0';

/** Asks SpamAssassin, without the network, with the rules that Debian delivers. */
async function judgeMessage(bytes: Buffer): Promise<Verdict> {
  const process = spawn('spamassassin', ['--local', '--test-mode', `--cf=${IGNORED_RULE}`], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const failed = once(process, 'error').then(() => {
    throw new Error('cannot run spamassassin; install it with: apt-get install -y spamassassin');
  });
  process.stdin.end(Buffer.concat([Buffer.from(RECEIVED), bytes]));
  const output = await Promise.race([text(process.stdout), failed]);
  const [, score, rules = ''] =
    /^X-Spam-Status: \w+, score=(-?[\d.]+) .*?tests=(.*?)\s*autolearn=/ms.exec(output) ?? [];
  assert.ok(score !== undefined, output);
  return { score: Number(score), rules: rules.replace(/\s+/g, '') };
}

test('SpamAssassin gives each kind of message in each language less than 1 point', async (t) => {
  const table: string[] = [];
  for (const { kind, language, bytes } of await receiveAllMail()) {
    const { score, rules } = await judgeMessage(bytes);
    table.push(`| ${kind} | ${language} | ${score} | ${rules} |`);
  }
  t.diagnostic(table.sort().join('\n'));
  assert.deepEqual(
    table.filter((row) => Number(row.split(' | ')[2]) >= 1),
    [],
  );
});
