import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Attachment } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { EmailAttachment, Mailbox } from '../data/mailbox.ts';

/** Where an SMTP server listens. */
export interface MailListenerOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
}

/** An open SMTP server. */
export interface MailListener {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** In bytes. */
const MAX_MESSAGE_SIZE = 1024 * 1024;
const MAX_RECIPIENTS = 100;
const PARSER_OPTIONS = { forceRfc822Attachments: true, attachmentEncoding: 'base64' } as const;

function createRejection(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

/** Excludes pictures in the message. */
function listFiles(attachments: readonly Attachment[]): EmailAttachment[] {
  return attachments
    .filter(({ disposition }) => disposition === 'attachment')
    .map(({ filename, mimeType: mediaType, content }) => ({
      name: filename ?? 'file',
      mediaType,
      base64: content as string,
    }));
}

/** Drops what is beyond the maximum size. */
async function readMessage(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size <= MAX_MESSAGE_SIZE) chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Accepts mail for anybody over SMTP, without a password or TLS, and stores it.
 * @throws {Error} if the port is in use.
 */
export async function listenForMail(
  mailbox: Mailbox,
  { host, port }: MailListenerOptions,
  now: () => Date,
): Promise<MailListener> {
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: MAX_MESSAGE_SIZE,
    closeTimeout: 1_000,
    onRcptTo: (_address, { envelope }, done) =>
      done(
        envelope.rcptTo.length < MAX_RECIPIENTS
          ? null
          : createRejection(452, 'Too many recipients'),
      ),
    onData: (stream, { envelope }, done) => {
      void readMessage(stream)
        .then((message) => PostalMime.parse(message, PARSER_OPTIONS))
        .then(({ subject = '', text = '', html, attachments }) => {
          if (stream.sizeExceeded) return done(createRejection(552, 'Message too large'));
          mailbox.insertEmail({
            to: envelope.rcptTo.map(({ address }) => address).join(', '),
            subject,
            text,
            html: html ?? null,
            attachments: listFiles(attachments),
            link: null,
            created: now().toISOString(),
          });
          return done();
        })
        .catch(() => done(createRejection(554, 'Cannot read the message')));
    },
  });
  server.on('error', () => undefined);
  server.listen(port, host);
  await once(server.server, 'listening');
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}
