import type { z } from 'zod';
import { InvalidDecisionError } from '../../donations/review-options.ts';
import { InvalidPeriodError } from '../../lib/period.ts';

/** An action of the staff, the same for the admin API, the admin pages, and the command. */
export interface StaffAction<Schema extends z.ZodType = z.ZodType, Output = unknown> {
  readonly schema: Schema;
  /** @throws {ActionError} if the action is not possible. */
  readonly run: (input: z.output<Schema>) => Output;
}

export function defineAction<Schema extends z.ZodType, Output>(
  schema: Schema,
  run: (input: z.output<Schema>) => Output,
): StaffAction<Schema, Output> {
  return { schema, run };
}

export class ActionError extends Error {
  override readonly name = 'ActionError';
  readonly status: 400 | 401 | 403 | 404 | 409 | 413;

  constructor(status: ActionError['status'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** @throws {ActionError} if the input is invalid or the action is not possible. */
export async function performAction<Schema extends z.ZodType, Output>(
  { schema, run }: StaffAction<Schema, Output>,
  input: unknown,
): Promise<Awaited<Output>> {
  const { data, error: issues } = schema.safeParse(input);
  if (issues) throw new ActionError(400, formatIssuesOnOneLine(issues));
  try {
    return await run(data);
  } catch (cause) {
    if (cause instanceof InvalidDecisionError) throw new ActionError(409, cause.message, { cause });
    if (cause instanceof InvalidPeriodError) throw new ActionError(400, cause.message, { cause });
    throw cause;
  }
}

export function formatIssuesOnOneLine({ issues }: z.ZodError): string {
  return issues
    .map(({ path, message }) => `${path.join('.') || 'the request body'}: ${message}`)
    .join(' · ');
}
