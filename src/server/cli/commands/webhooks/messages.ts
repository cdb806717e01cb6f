export const LIST_HINT = 'To list undelivered messages, run donation-form webhooks failed.';

export function formatMessageCount(count: number): string {
  return `${count} ${count === 1 ? 'message' : 'messages'}`;
}
