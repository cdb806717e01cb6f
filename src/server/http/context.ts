import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { RequestIdVariables } from 'hono/request-id';
import type { ProblemCode } from '@donation-form/core/schemas';
import { Problem } from '../lib/problem.ts';

/** What the server knows of the connection that a request came by. */
export interface Connection {
  /** The address of who connected: the donor's, or a proxy's. */
  readonly address?: string | undefined;
}

export interface RouteEnv {
  Bindings: Connection;
  Variables: RequestIdVariables & {
    /**
     * What the log line of the request tells of it: an organisation's id, a gift's reference, why
     * it was refused.
     */
    organization?: string;
    reference?: string;
    problem?: ProblemCode;
  };
}

export type RouteContext = Context<RouteEnv>;

export const newRoutes = (): Hono<RouteEnv> => new Hono<RouteEnv>();

/**
 * Refuses a body of more bytes, however it comes. Where its length is told, which HTTP parsers hold
 * it to, it need not be counted.
 */
export function limitBody(maxSize: number): MiddlewareHandler<RouteEnv> {
  const refuse = (): never => {
    throw new Problem('payload-too-large', `The body is larger than ${maxSize} bytes.`);
  };
  const counted = bodyLimit({ maxSize, onError: refuse });
  return async (c, next) => {
    const length = c.req.header('Content-Length');
    if (
      length === undefined ||
      !/^\d+$/.test(length) ||
      c.req.header('Transfer-Encoding') !== undefined
    )
      return counted(c, next);
    return Number(length) > maxSize ? refuse() : next();
  };
}

/** Answers all other methods of a path; it stands after those that it has. */
export function allowOnlyMethods(app: Hono<RouteEnv>, ...paths: string[]): void {
  for (const path of paths)
    app.all(path, (c) => {
      throw new Problem('method-not-allowed', `${c.req.method} is not a method of ${path}.`);
    });
}
