import type { z } from 'zod';

export class ActionError extends Error {
  override readonly name = 'ActionError';
  readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 429;

  constructor(status: ActionError['status'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

export function formatIssuesOnOneLine({ issues }: z.ZodError): string {
  return issues
    .map(({ path, message }) => `${path.join('.') || 'the request body'}: ${message}`)
    .join(' · ');
}
