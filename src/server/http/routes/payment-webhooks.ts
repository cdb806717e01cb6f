import type { Hono } from 'hono';
import type { Logger } from '../../lib/logger.ts';
import type { Desks } from '../../donations/form-registry.ts';
import { LARGEST_WEBHOOK } from '../body-limits.ts';
import { manageProblem } from './pages.ts';
import { NotSignedError } from '../../payments/payment-gateway.ts';
import { Problem } from '../../lib/problem.ts';
import { aboutError } from '../../lib/describe-error.ts';
import { atMost, newRoutes, onlyThese, type RouteEnv } from '../context.ts';

/** What payment providers tell, and their pages where donors change recurring gifts. */
export function providerRoutes({
  desks,
  log,
}: {
  readonly desks: Desks;
  readonly log: Logger;
}): Hono<RouteEnv> {
  const app = newRoutes();

  app.post('/webhooks/:provider/:organization', atMost(LARGEST_WEBHOOK), async (c) => {
    const { provider, organization: id } = c.req.param();
    const gateway = desks.organization(id)?.payments.get(provider)?.gateway;
    if (!gateway?.webhook)
      throw new Problem(
        'not-found',
        'No payment provider of this server has webhooks at this address. It is /webhooks/<provider>/<organization id>, as the configuration has them.',
      );
    c.set('organization', id);
    const happenings = await gateway
      .webhook(await c.req.text(), c.req.raw.headers)
      .catch((error: unknown) => {
        throw error instanceof NotSignedError
          ? new Problem('webhook-not-signed', error.message)
          : error;
      });
    await desks.donationsOf(id)!.keep(provider, happenings);
    return c.body(null, 204);
  });

  app.get('/manage', async (c) => {
    const provider = c.req.query('provider');
    const desk = desks.find(c.req.query('id'));
    const organization = (desk ?? desks.find(undefined))?.form.en.definition.organization;
    const gateway = [...(desk?.organization.payments ?? [])].find(
      ([name, option]) =>
        option.gateway.managePage && (provider === undefined || name === provider),
    )?.[1].gateway;
    if (!gateway?.managePage) return manageProblem(c, desk && organization, 404);
    try {
      return c.redirect(await gateway.managePage());
    } catch (error) {
      log.error(
        { request: c.get('requestId'), ...aboutError(error) },
        'the page where donors change recurring gifts cannot be opened',
      );
      return manageProblem(c, organization, 503);
    }
  });

  onlyThese(app, '/webhooks/:provider/:organization', '/manage');
  return app;
}
