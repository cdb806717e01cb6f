export const LIST_HINT = 'To list undelivered messages, run donation-form webhooks failed.';
