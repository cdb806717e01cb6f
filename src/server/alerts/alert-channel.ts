import type { AlertMessage } from './alert-message.ts';

/** A way to send alerts. */
export interface AlertChannel {
  readonly name: 'email' | 'webhook';
  /** Where the messages go, for people. */
  readonly target: string;
  /** @throws {Error} if the message may not have been accepted. */
  readonly send: (message: AlertMessage) => Promise<void>;
  /** Checks the channel without sending anything. Undefined if that is impossible. */
  readonly verify?: () => Promise<void>;
  /** Returns true if an error of `send` means that the message was not accepted. */
  readonly isCertainlyNotSent: (error: unknown) => boolean;
}
