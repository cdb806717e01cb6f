import type { z } from 'zod';
import type { ActorContext } from '../access/actor-context.ts';

/**
 * An action of the staff, the same for the admin API, the admin pages, and the command. `run` throws
 * {@link ActionError} if the action is not possible.
 */
export function defineAction<Schema extends z.ZodType, Output>(
  schema: Schema,
  run: (input: z.output<Schema>, context: ActorContext) => Output,
) {
  return { schema, run };
}

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
