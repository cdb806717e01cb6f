import { createMiddleware } from 'hono/factory';
import { isSame } from '../hash.ts';

/**
 * Lets only those pass who have the operator's key: what stands behind it names donors or changes something.
 * @param key absent where the configuration names none: then nobody passes.
 */
export function operatorsOnly(key: string | undefined) {
  return createMiddleware(async (c, next) => {
    if (key === undefined) return c.json({ message: 'The configuration names no operator\'s key. Add "key": { "env": "OPERATOR_KEY" } to "operator", set the variable and start the server again.' }, 403);
    const [scheme, given = ''] = (c.req.header('Authorization') ?? '').split(' ');
    if (scheme !== 'Bearer' || !isSame(given, key)) return c.json({ message: 'The operator\'s key is missing or another one. Expected the header Authorization: Bearer <key>, with the key that "operator.key" of the configuration names.' }, 401);
    return next();
  });
}
