import type { AlertMessage } from './alert-message.ts';

export interface AlertChannel {
  readonly name: 'email' | 'webhook';
  /** Human-readable destination of the messages, such as an email address. */
  readonly target: string;
  /** Sends a message. @throws {Error} if the destination may not have accepted the message. */
  readonly send: (message: AlertMessage) => Promise<void>;
  /** Checks the connection without sending a message. Omitted if the channel has no such check. */
  readonly verify?: () => Promise<void>;
  /** Returns true if an error from `send` proves that the message was not accepted. */
  readonly isCertainlyNotSent: (error: unknown) => boolean;
}
