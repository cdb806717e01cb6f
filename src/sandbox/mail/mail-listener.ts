import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { Mailbox } from '../data/mailbox.ts';

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
    onData: (stream, { envelope }, done) => {
      void buffer(stream)
        .then((message) => PostalMime.parse(message))
        .then(({ subject = '', text = '', html }) => {
          if (stream.sizeExceeded)
            return done(Object.assign(new Error('Message too large'), { responseCode: 552 }));
          mailbox.insertEmail({
            to: envelope.rcptTo.map(({ address }) => address).join(', '),
            subject,
            text,
            html: html ?? null,
            link: null,
            created: now().toISOString(),
          });
          return done();
        })
        .catch(done);
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
