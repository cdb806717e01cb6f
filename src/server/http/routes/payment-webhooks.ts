import type { Hono } from 'hono';
import type { Logger } from '../../lib/logger.ts';
import type { FormRegistry } from '../../donations/form-registry.ts';
import { LARGEST_WEBHOOK } from '../body-limits.ts';
import { manageProblem } from './pages.ts';
import { InvalidSignatureError } from '../../payments/payment-gateway.ts';
import { Problem } from '../../lib/problem.ts';
import { describeError } from '../../lib/describe-error.ts';
import { limitBody, newRoutes, allowOnlyMethods, type RouteEnv } from '../context.ts';

/** What payment providers tell, and their pages where donors change recurring gifts. */
export function providerRoutes({
  formRegistry,
  log,
}: {
  readonly formRegistry: FormRegistry;
  readonly log: Logger;
}): Hono<RouteEnv> {
  const app = newRoutes();

  app.post('/webhooks/:provider/:organization', limitBody(LARGEST_WEBHOOK), async (c) => {
    const { provider, organization: id } = c.req.param();
    const gateway = formRegistry.organization(id)?.payments.get(provider)?.gateway;
    if (!gateway?.webhook)
      throw new Problem(
        'not-found',
        'No payment provider of this server has webhooks at this address. It is /webhooks/<provider>/<organization id>, as the configuration has them.',
      );
    c.set('organization', id);
    const paymentEvents = await gateway
      .webhook(await c.req.text(), c.req.raw.headers)
      .catch((error: unknown) => {
        throw error instanceof InvalidSignatureError
          ? new Problem('invalid-signature', error.message)
          : error;
      });
    await formRegistry.serviceOf(id)!.applyPaymentEvents(provider, paymentEvents);
    return c.body(null, 204);
  });

  app.get('/manage', async (c) => {
    const provider = c.req.query('provider');
    const desk = formRegistry.find(c.req.query('id'));
    const organization = (desk ?? formRegistry.find(undefined))?.form.en.definition.organization;
    const gateway = [...(desk?.organization.payments ?? [])].find(
      ([name, option]) => option.gateway.portalUrl && (provider === undefined || name === provider),
    )?.[1].gateway;
    if (!gateway?.portalUrl) return manageProblem(c, desk && organization, 404);
    try {
      return c.redirect(await gateway.portalUrl());
    } catch (error) {
      log.error(
        { request: c.get('requestId'), ...describeError(error) },
        'the page where donors change recurring gifts cannot be opened',
      );
      return manageProblem(c, organization, 503);
    }
  });

  allowOnlyMethods(app, '/webhooks/:provider/:organization', '/manage');
  return app;
}
