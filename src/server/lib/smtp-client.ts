import type { SendMailOptions } from 'nodemailer';

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** Signs each message. */
  readonly dkim?:
    | { readonly domainName: string; readonly keySelector: string; readonly privateKey: string }
    | undefined;
}

export interface SmtpClient {
  /** @throws {SmtpError} if the server may not have accepted the message. */
  readonly send: (message: SendMailOptions) => Promise<void>;
  /** Signs in without sending a message. @throws {SmtpError} if that fails. */
  readonly verify: () => Promise<void>;
}

/** An error of the SMTP client. */
export interface SmtpError extends Error {
  readonly code?: string;
  readonly command?: string;
  /** Of the server. */
  readonly responseCode?: number;
  readonly response?: string;
}

const TLS_PORT = 465;
const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '::1'];
/** For each step, in milliseconds. */
const TIMEOUT = 15_000;
/** Error codes that prove that the SMTP server did not accept the message. */
const NOT_SENT_CODES = ['EDNS', 'ETLS', 'EAUTH', 'EENVELOPE'];

/** Requires TLS unless the SMTP server runs on this machine. Loads nodemailer on first use. */
export function createSmtpClient({ host, port, user, password, dkim }: SmtpServer): SmtpClient {
  const isLocal = LOOPBACK_HOSTS.includes(host);
  const openTransport = async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      host,
      port,
      secure: port === TLS_PORT,
      requireTLS: !isLocal,
      ignoreTLS: isLocal,
      ...(user !== undefined && { auth: { user, pass: password } }),
      ...(dkim && { dkim }),
      connectionTimeout: TIMEOUT,
      greetingTimeout: TIMEOUT,
      socketTimeout: TIMEOUT,
    });
  };
  return {
    send: async (message) => {
      const transport = await openTransport();
      await transport.sendMail(message);
    },
    verify: async () => {
      const transport = await openTransport();
      await transport.verify();
    },
  };
}

/** Maximum length of a described error, in characters. */
const MAX_ERROR_LENGTH = 300;

/** Returns the server's answer on one line, without addresses and invisible characters. */
export function describeSmtpError({ response, message }: SmtpError): string {
  return (response ?? message)
    .slice(0, 2 * MAX_ERROR_LENGTH)
    .replace(/[\p{C}\s]+/gu, ' ')
    .replace(/[^\s<>"'@]{1,64}@[^\s<>"']{1,255}/g, '…')
    .slice(0, MAX_ERROR_LENGTH);
}

export function isMailCertainlyNotSent(error: unknown): boolean {
  const { code, command, responseCode } = error as SmtpError;
  return responseCode !== undefined || command === 'CONN' || NOT_SENT_CODES.includes(code ?? '');
}
