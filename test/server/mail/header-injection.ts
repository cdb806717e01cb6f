import assert from 'node:assert/strict';
import { createTransport } from 'nodemailer';
import PostalMime from 'postal-mime';
import { addDonation } from '../reporting/add-donation.ts';
import { startServer } from '../support.ts';
import { createTestMail, sendNow } from './support.ts';

const PARTS = [
  '\r\n',
  '\n',
  '\r',
  '\n\n',
  '%0d%0a',
  '\u2028',
  '\u0085',
  '\u0000',
  '\v',
  'Bcc: victim@evil.example',
  'To: victim@evil.example',
  'Subject: pwned',
  'X-Injected: 1',
  'Content-Type: text/html',
  '.\r\nQUIT\r\n',
  'MAIL FROM:<victim@evil.example>',
  '=?utf-8?q?=0d=0aBcc:_victim@evil.example?=',
  ', victim@evil.example',
  '<victim@evil.example>',
  '"',
  '\\',
  '--_NmP-Part_1--',
  'ﬁ',
  'Ana',
] as const;

/** Deterministic, so that a failure can be repeated. */
function createRandom(seed: number): (max: number) => number {
  let state = seed;
  return (max) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * max);
  };
}

const HEADERS = [
  'auto-submitted',
  'content-type',
  'date',
  'from',
  'message-id',
  'mime-version',
  'reply-to',
  'subject',
  'to',
];

/** Sends mail about donations with four hostile texts each, and checks headers and recipients. */
export async function checkHostileTexts(donations: number): Promise<void> {
  const random = createRandom(20_261_130);
  const createText = (): string =>
    Array.from({ length: 1 + random(4) }, () => PARTS[random(PARTS.length)]).join(
      ['', ' ', '\r\n', '\n'][random(4)],
    );
  const transport = createTransport({ streamTransport: true, buffer: true });
  let messages = 0;
  const mail = createTestMail(1, {
    client: {
      verify: () => Promise.resolve(),
      send: async (message) => {
        const { envelope, message: bytes } = await transport.sendMail(message);
        const { headers } = await PostalMime.parse(bytes as Buffer);
        const isTribute = envelope.to[0] === 'mia@example.org';
        const expected = isTribute ? [...HEADERS, 'list-unsubscribe'] : HEADERS;
        assert.deepEqual(headers.map(({ key }) => key).sort(), expected.sort());
        assert.match(envelope.to.join(), /^(ana|mia)\d*@example\.org$/);
        messages += 1;
      },
    },
  });
  let time = Date.now();
  await using server = await startServer({ hasBackgroundJobs: false, mail, now: () => time });
  for (let count = 0; count < donations; count += 1) {
    // Stays below the limits per day and hour.
    time += 13 * 3_600_000;
    await addDonation(server.repository, {
      donor: { firstName: createText(), lastName: createText(), email: 'ana@example.org' },
      tribute: {
        kind: 'memory',
        name: createText(),
        message: createText(),
        notifyEmail: 'mia@example.org',
      },
    });
    await sendNow(server);
  }
  assert.equal(messages, 2 * donations);
}
