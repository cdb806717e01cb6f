import type { AlertMessage } from './alert-message.ts';

/** A channel for alerts. */
export interface AlertChannel {
  readonly name: 'email' | 'webhook';
  /** Destination of the messages, in readable form. */
  readonly target: string;
  /** Sends a message. @throws {Error} if the message may not have been accepted. */
  readonly send: (message: AlertMessage) => Promise<void>;
  /** Checks the channel without sending a message. Omitted if that is impossible. */
  readonly verify?: () => Promise<void>;
  /** Returns true if an error of `send` means that the message was not accepted. */
  readonly isCertainlyNotSent: (error: unknown) => boolean;
}
