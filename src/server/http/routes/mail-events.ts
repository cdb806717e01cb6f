import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { isEqualInConstantTime } from '../../lib/hash.ts';
import { Problem } from '../../lib/problem.ts';
import { recordMailEvent } from '../../mail/record-mail-event.ts';
import {
  type AppOptions,
  createBodyLimitMiddleware,
  MAX_REPORT_BYTES,
  readText,
  rejectOtherMethods,
  type Router,
} from '../context.ts';
import { parseJsonBody } from '../parse-json-body.ts';

export const mailEventSchema = z.strictObject({
  messageId: z.string().min(1).max(1_000),
  type: z.enum(['bounced', 'complained']),
  reason: z.string().optional(),
});

/** Compared with if none is configured, so that nobody learns which organizations have a secret. */
const DUMMY_SECRET = randomBytes(32).toString('base64url');

/** Receives what a mail provider reports about messages, in our own format. */
export function addMailEventRoutes(app: Router, { organizations, database }: AppOptions): void {
  app.post('/mail-events/:organization', createBodyLimitMiddleware(MAX_REPORT_BYTES), async (c) => {
    const { organization: id } = c.req.param();
    const secret = organizations.find(id)?.mail?.eventSecret ?? DUMMY_SECRET;
    const authorization = (c.req.header('Authorization') ?? '').replace(/^bearer /i, 'Bearer ');
    if (!isEqualInConstantTime(authorization, `Bearer ${secret}`))
      throw new Problem(
        'unauthorized',
        'The organization in the path or the Authorization header is wrong. Use ' +
          '/mail-events/<organization ID>, and send "Bearer " and the value of "mail.eventSecret".',
      );
    c.set('organization', id);
    const event = parseJsonBody(await readText(c), mailEventSchema);
    if (!(await recordMailEvent(database, id, event)))
      throw new Problem(
        'not-found',
        'The server sent no message with this messageId. Send the value of the Message-ID header.',
      );
    return c.body(null, 204);
  });
  rejectOtherMethods(app, '/mail-events/:organization');
}
