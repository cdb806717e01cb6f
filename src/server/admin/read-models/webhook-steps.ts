import type { WebhookMessageRow } from '../../database/schema.ts';
import type { StoryStep } from './event-story.ts';

/** Describes an undelivered outbound webhook message. */
export function describeWebhook({
  url,
  type,
  status,
  attempts,
  lastError: error,
  nextRunAt,
}: WebhookMessageRow): StoryStep {
  const message = `The ${type} webhook to ${url}`;
  const tries = attempts === 1 ? 'once' : `${attempts} times`;
  switch (status) {
    case 'pending':
      return error === null
        ? { text: `${message} is about to be sent.`, nextRetryAt: nextRunAt }
        : {
            text: `${message} failed (tried ${tries}): ${error}.`,
            warning: 'Not delivered',
            nextRetryAt: nextRunAt,
          };
    case 'failed':
      return {
        text:
          `${message} failed (tried ${tries}): ${error}. ` +
          'The server will not retry this webhook.',
        warning: 'Not delivered',
      };
    case 'endpoint_gone':
      return {
        text: `${message} failed, because the URL responded with status 410 (Gone).`,
        warning: 'Not delivered',
      };
  }
}
