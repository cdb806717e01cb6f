import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface SmtpListener extends AsyncDisposable {
  readonly port: number;
  /** Messages with their headers, whose line breaks are line feeds. */
  readonly received: string[];
}

/** Opens an SMTP server that accepts the user `alerts` with the password `canary-password`. */
export async function startSmtpServer(
  { host = '127.0.0.1', ...options }: SMTPServerOptions & { readonly host?: string } = {},
  respond: () => Promise<Error | undefined> | Error | undefined = () => undefined,
): Promise<SmtpListener> {
  const received: string[] = [];
  const server = new SMTPServer({
    disableReverseLookup: true,
    logger: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) => {
      if (username === 'alerts' && password === 'canary-password') done(null, { user: username });
      else done(new Error('Invalid user or password'));
    },
    onData: (stream, _session, done) => {
      void text(stream).then(async (message) => {
        const error = await respond();
        // Undoes the line breaks of quoted-printable.
        if (!error) received.push(message.replaceAll('=\r\n', '').replaceAll('\r', ''));
        done(error);
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  server.listen(0, host);
  await once(server.server, 'listening');
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
