import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { RequestIdVariables } from 'hono/request-id';
import type { ProblemCode } from '@donation-form/core/schemas';
import { Problem } from '../lib/problem.ts';

/** Connection on which a request arrived. */
export interface Connection {
  /** IP address of the peer, which is the donor or a proxy. */
  readonly address?: string | undefined;
}

export interface RouteEnv {
  Bindings: Connection;
  /** The request's ID, and fields for its log line. */
  Variables: RequestIdVariables & {
    organization?: string;
    /** Reference of the donation. */
    reference?: string;
    /** Reason why the request was rejected. */
    problem?: ProblemCode;
  };
}

export type RouteContext = Context<RouteEnv>;

export const createRouter = (): Hono<RouteEnv> => new Hono<RouteEnv>();

/**
 * Creates middleware that rejects bodies above the given size. It trusts the Content-Length header,
 * because Node's HTTP parser enforces it, and counts bytes only if the header is missing.
 */
export function createBodyLimitMiddleware(maxSize: number): MiddlewareHandler<RouteEnv> {
  const reject = (): never => {
    throw new Problem(
      'payload-too-large',
      `The body is larger than ${maxSize} bytes, the maximum for this endpoint.`,
    );
  };
  const countBytes = bodyLimit({ maxSize, onError: reject });
  return async (c, next) => {
    const length = c.req.header('Content-Length');
    if (
      length === undefined ||
      !/^\d+$/.test(length) ||
      c.req.header('Transfer-Encoding') !== undefined
    )
      return countBytes(c, next);
    return Number(length) > maxSize ? reject() : next();
  };
}

/** Responds with 405 to the methods that have no handler for the given paths. */
export function rejectOtherMethods(app: Hono<RouteEnv>, ...paths: string[]): void {
  for (const path of paths)
    app.all(path, (c) => {
      throw new Problem('method-not-allowed', `${path} does not support ${c.req.method}.`);
    });
}
