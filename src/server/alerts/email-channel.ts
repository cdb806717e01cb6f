import type { AlertConfiguration } from '@donation-form/core/schemas';
import type { SendMailOptions } from 'nodemailer';
import type { AlertChannel } from './alert-channel.ts';
import type { AlertMessage } from './alert-message.ts';

type EmailConfiguration = NonNullable<AlertConfiguration['email']>;

const TLS_PORT = 465;
const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '::1'];
/** Timeout for the SMTP server, in milliseconds. */
const TIMEOUT = 15_000;
/** Error codes that prove that the SMTP server did not accept the message. */
const NOT_SENT_CODES = ['EDNS', 'ETLS', 'EAUTH', 'EENVELOPE'];

/** Requires TLS unless the SMTP server runs on this machine. */
function createTransportOptions(
  { host, port, user }: EmailConfiguration,
  password: string | undefined,
) {
  const isLocal = LOOPBACK_HOSTS.includes(host);
  return {
    host,
    port,
    secure: port === TLS_PORT,
    requireTLS: !isLocal,
    ignoreTLS: isLocal,
    ...(user !== undefined && { auth: { user, pass: password } }),
    connectionTimeout: TIMEOUT,
    greetingTimeout: TIMEOUT,
    socketTimeout: TIMEOUT,
  };
}

/** Creates the channel that sends alerts by email. Loads the SMTP client on first use. */
export function createEmailChannel(
  configuration: EmailConfiguration,
  password: string | undefined,
): AlertChannel {
  const openTransport = async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport(createTransportOptions(configuration, password));
  };
  const { host, port } = configuration;
  return {
    name: 'email',
    target: `${configuration.to.join(', ')} through ${host}:${port}`,
    send: async (message) => {
      const transport = await openTransport();
      await transport.sendMail(createEmail(configuration, message));
    },
    verify: async () => {
      const transport = await openTransport();
      await transport.verify();
    },
    isCertainlyNotSent: (error) => {
      const { code, command, responseCode } = error as {
        readonly code?: string;
        readonly command?: string;
        readonly responseCode?: number;
      };
      return (
        responseCode !== undefined || command === 'CONN' || NOT_SENT_CODES.includes(code ?? '')
      );
    },
  };
}

function createEmail(
  { from, to }: EmailConfiguration,
  { type, text, data }: AlertMessage,
): SendMailOptions {
  return {
    from: { name: 'Donation server', address: from },
    to: [...to],
    subject: `${type === 'alert.resolved' ? 'Resolved: ' : ''}${data.summary}`,
    text: `${text}\n`,
    // Suppresses automatic replies, and lets mail programs group messages by cause.
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Alert-Cause': data.cause,
    },
  };
}
