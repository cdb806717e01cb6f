import { domainToASCII, domainToUnicode } from 'node:url';
import type { SendMailOptions } from 'nodemailer';
import { getEmailDomain } from './normalize-email.ts';

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
/** To connect, in milliseconds. */
const CONNECT_TIMEOUT = 15_000;
/** For each answer, in milliseconds. Some servers examine a message before they answer. */
const ANSWER_TIMEOUT = 40_000;
/** For a whole message, after which the connection is closed. Shorter than `LOCK_DURATION`. */
const SEND_TIMEOUT = 45_000;
/** Error codes that prove that the SMTP server did not accept the message. */
const NOT_SENT_CODES = ['EDNS', 'ETLS', 'EAUTH', 'EENVELOPE'];
/** Messages of errors before the client has sent anything. Later ones have the same codes. */
const NOT_CONNECTED = /^(connect |getaddrinfo |Connection timeout|Greeting never received)/;

/** It is unknown whether the server accepted the message. */
const createTimeoutError = (cause: unknown): SmtpError =>
  Object.assign(new Error('The SMTP server did not accept the message in time', { cause }), {
    code: 'ETIMEDOUT',
    command: 'CONN',
  });

/** Requires TLS unless the SMTP server runs on this machine. Loads nodemailer on first use. */
export function createSmtpClient(
  { host, port, user, password, dkim }: SmtpServer,
  { sendTimeout = SEND_TIMEOUT }: { readonly sendTimeout?: number } = {},
): SmtpClient {
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
      connectionTimeout: CONNECT_TIMEOUT,
      greetingTimeout: CONNECT_TIMEOUT,
      socketTimeout: ANSWER_TIMEOUT,
    });
  };
  return {
    send: async (message) => {
      const transport = await openTransport();
      const signal = AbortSignal.timeout(sendTimeout);
      await transport.sendMail({ ...message, signal }).catch((error: unknown) => {
        throw signal.aborted ? createTimeoutError(error) : error;
      });
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
    .replace(/(?<![^\s<>"'@])[^\s<>"'@]+@[^\s<>"']+/g, '…')
    .slice(0, MAX_ERROR_LENGTH);
}

export function isMailCertainlyNotSent(error: unknown): boolean {
  const { code, responseCode, message } = error as SmtpError;
  return (
    responseCode !== undefined || NOT_SENT_CODES.includes(code ?? '') || NOT_CONNECTED.test(message)
  );
}

/**
 * Returns what a failed attempt is about: `server` if the server accepts no message now, such as
 * without a connection or with a rejected sign-in or sender; `refused` if the recipient or the
 * content was refused for good (RFC 3463); otherwise `message`, which may have been accepted.
 */
export function getFailureScope(error: SmtpError): 'server' | 'refused' | 'message' {
  const { command = '', responseCode = 0, response = '' } = error;
  const isAboutMessage = command === 'RCPT TO' || command === 'DATA';
  if (isMailCertainlyNotSent(error) && (!isAboutMessage || responseCode === 421)) return 'server';
  const [, enhanced] = /^5\d\d[ -](5\.\d+\.\d+)/.exec(response) ?? [];
  const isRefused =
    enhanced === undefined
      ? command === 'RCPT TO' && [550, 551, 553].includes(responseCode)
      : /^5\.(1\.|2\.|3\.4|6\.)/.test(enhanced);
  return isRefused ? 'refused' : 'message';
}

/** Returns true if the email does not exist (RFC 3463, 5.1.1 to 5.1.3, 5.1.6, and 5.1.10). */
export function isUnknownRecipient({ command, response = '' }: SmtpError): boolean {
  return command === 'RCPT TO' && /^5\d\d[ -]5\.1\.(?:[1236]|10)\b/.test(response);
}

const LOCAL_PART = /^[a-z0-9_][a-z0-9#$&'*+_^~-]*(\.[a-z0-9#$&'*+_^~-]+)*$/i;
const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Returns false for emails that need SMTP extensions, or that old mail servers route elsewhere. */
export function isDeliverable(address: string): boolean {
  const domain = getEmailDomain(address).toLowerCase();
  const asciiDomain = domainToASCII(domain);
  return (
    LOCAL_PART.test(address.slice(0, address.lastIndexOf('@'))) &&
    DOMAIN.test(asciiDomain) &&
    [asciiDomain, domainToUnicode(asciiDomain)].includes(domain)
  );
}
