import { generateKeyPairSync } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { SMTPServerOptions } from 'smtp-server';
import { LANGUAGES } from '../../../src/core/i18n/languages.ts';
import { createSmtpClient } from '../../../src/server/lib/smtp-client.ts';
import { startSmtpServer } from '../alerts/support.ts';
import { addDonation } from '../reporting/add-donation.ts';
import { startServer } from '../support.ts';
import { createTestMail, sendNow } from './support.ts';

/** A message as an SMTP server received it. */
export interface ReceivedMail {
  readonly kind: 'thank_you' | 'pledge' | 'test' | 'tribute';
  readonly language: string;
  readonly sender: string;
  readonly recipients: readonly string[];
  readonly bytes: Buffer;
}

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
/** The DKIM record of the selector `donations`. */
export const DKIM_RECORD = `v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`;

/** Sends each kind of message in each language, signed, to an SMTP server. */
export async function receiveAllMail(
  languages: readonly (typeof LANGUAGES)[number][] = LANGUAGES,
): Promise<readonly ReceivedMail[]> {
  const received: Omit<ReceivedMail, 'kind' | 'language'>[] = [];
  const onData: SMTPServerOptions['onData'] = (stream, { envelope }, done) => {
    void buffer(stream).then((bytes) => {
      received.push({
        sender: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
        recipients: envelope.rcptTo.map(({ address }) => address),
        bytes,
      });
      done();
    });
  };
  await using smtp = await startSmtpServer({ onData });
  const client = createSmtpClient({
    host: '127.0.0.1',
    port: smtp.port,
    user: 'alerts',
    password: 'canary-password',
    dkim: { domainName: 'lanternwell.example', keySelector: 'donations', privateKey },
  });
  await using server = await startServer({
    hasBackgroundJobs: false,
    mail: createTestMail(smtp.port, { client }),
  });
  const outcomes = {
    thank_you: {},
    pledge: { outcome: 'promised' },
    test: { isTest: true },
    tribute: {},
  } as const;
  for (const language of languages)
    for (const [kind, outcome] of Object.entries(outcomes))
      await addDonation(server.repository, {
        ...outcome,
        language,
        donor: { firstName: 'Ana', lastName: 'Silva', email: `${kind}@${language}.example` },
        ...(kind === 'tribute' && {
          tribute: {
            kind: 'memory',
            name: 'Rose',
            message: 'We miss her.\nYour friends',
            notifyEmail: `tribute-to@${language}.example`,
          },
        }),
      });
  await sendNow(server);
  return received.flatMap((message) => {
    const [to = '', domain = ''] = (message.recipients[0] ?? '').split('@');
    // The donor of a tribute gets the same thanks as others.
    if (to === 'tribute') return [];
    const kind = to === 'tribute-to' ? 'tribute' : (to as ReceivedMail['kind']);
    const language = languages.find(
      (one) => domain.toLowerCase() === `${one}.example`.toLowerCase(),
    );
    return [{ ...message, kind, language: language! }];
  });
}
