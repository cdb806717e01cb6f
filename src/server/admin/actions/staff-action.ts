import type { z } from 'zod';
import { InvalidPeriodError } from '../../lib/period.ts';
import { InvalidDecisionError } from '../../donations/review-options.ts';

/** An action of the staff, the same for the admin API, the admin pages, and the command. */
export interface StaffAction<Schema extends z.ZodType = z.ZodType, Output = unknown> {
  /** Validates the input: path and query parameters, and the fields of the body. */
  readonly schema: Schema;
  /**
   * Performs the action.
   * @throws {ActionError} if the action is not possible.
   */
  readonly run: (input: z.output<Schema>) => Output;
}

/** Creates an action whose `run` has the type of the schema's output. */
export function defineAction<Schema extends z.ZodType, Output>(
  schema: Schema,
  run: (input: z.output<Schema>) => Output,
): StaffAction<Schema, Output> {
  return { schema, run };
}

/** Error for an action that is not possible. The message is for the person. */
export class ActionError extends Error {
  override readonly name = 'ActionError';
  readonly status: 400 | 404 | 409;

  constructor(status: 400 | 404 | 409, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/**
 * Validates an action's input and performs the action.
 * @throws {ActionError} if the input is invalid or the action is not possible.
 */
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

/** Formats validation issues on one line. */
export function formatIssuesOnOneLine({ issues }: z.ZodError): string {
  return issues
    .map(({ path, message }) => `${path.join('.') || 'the request body'}: ${message}`)
    .join(' · ');
}
