import type { Api } from './api.ts';
import { NotFoundError } from './api-error.ts';
import type { EventLog, RecordedEvent } from './events.ts';
import { assertRequestShape, BILLING_ISSUES, type Shape } from './request-shape.ts';
import type { Webhooks } from './webhooks.ts';

const WEBHOOK_SHAPE: Shape = {
  type: 'object',
  fields: {
    url: { type: 'string', max: 2_048 },
    event_types: {
      type: 'array',
      min: 1,
      max: 500,
      items: { type: 'object', fields: { name: { type: 'string' } }, required: ['name'] },
    },
  },
  required: ['url', 'event_types'],
};

const VERIFICATION_FIELDS = [
  'auth_algo',
  'cert_url',
  'transmission_id',
  'transmission_sig',
  'transmission_time',
  'webhook_id',
];

const VERIFICATION_SHAPE: Shape = {
  type: 'object',
  fields: {
    ...Object.fromEntries(VERIFICATION_FIELDS.map((name) => [name, { type: 'string', max: 500 }])),
    webhook_event: { type: 'object' },
  },
  required: [...VERIFICATION_FIELDS, 'webhook_event'],
};

const MAX_LISTED_EVENTS = 300;

/** Adds the routes for Webhooks v1 (developer.paypal.com/docs/api/webhooks/v1). */
export function addWebhookRoutes(api: Api, events: EventLog, webhooks: Webhooks): void {
  const path = '/v1/notifications/webhooks';
  api.addRoute('POST', path, ({ body }) => {
    assertRequestShape(body, WEBHOOK_SHAPE, BILLING_ISSUES);
    const { url, event_types: types } = body as unknown as {
      readonly url: string;
      readonly event_types: readonly { readonly name: string }[];
    };
    const webhook = webhooks.addWebhook({ url, eventTypes: types.map(({ name }) => name) });
    return { status: 201, view: () => webhooks.serializeWebhook(webhook) };
  });
  api.addRoute('GET', path, () => ({
    status: 200,
    view: () => ({
      webhooks: webhooks.listWebhooks().map((webhook) => webhooks.serializeWebhook(webhook)),
    }),
  }));
  api.addRoute('GET', `${path}/:id`, ({ id }) => {
    const webhook = webhooks.getWebhook(id);
    return { status: 200, view: () => webhooks.serializeWebhook(webhook) };
  });
  api.addRoute('DELETE', `${path}/:id`, ({ id }) => {
    webhooks.deleteWebhook(id);
    return { status: 204 };
  });

  api.addRoute('POST', '/v1/notifications/verify-webhook-signature', ({ body, text }) => {
    assertRequestShape(body, VERIFICATION_SHAPE, BILLING_ISSUES);
    const fields = body as Readonly<Record<string, string>>;
    const event = body.webhook_event as { readonly id?: string };
    const isValid =
      fields.auth_algo === 'SHA256withRSA' &&
      webhooks.verifyTransmission(
        {
          id: fields.transmission_id!,
          time: fields.transmission_time!,
          webhookId: fields.webhook_id!,
        },
        fields.transmission_sig!,
        findEventText(text, event, events),
      );
    return {
      status: 200,
      view: () => ({ verification_status: isValid ? 'SUCCESS' : 'FAILURE' }),
    };
  });

  api.addRoute('GET', '/v1/notifications/webhooks-events', ({ query }) => {
    const type = query.get('event_type');
    const transaction = query.get('transaction_id');
    const from = query.get('start_time') ?? '';
    const to = query.get('end_time') ?? '9999';
    const found = events.recorded
      .map(parseEvent)
      .filter(
        (event) =>
          (type === null || event.event_type === type) &&
          (transaction === null || event.resource.id === transaction) &&
          event.create_time >= from &&
          event.create_time <= to,
      )
      .toReversed()
      .slice(0, Math.min(Number(query.get('page_size') ?? 10), MAX_LISTED_EVENTS));
    return { status: 200, view: () => ({ events: found, count: found.length }) };
  });
  api.addRoute('GET', '/v1/notifications/webhooks-events/:id', ({ id }) => {
    const event = getEvent(events, id);
    return { status: 200, view: () => parseEvent(event) };
  });
  api.addRoute('POST', '/v1/notifications/webhooks-events/:id/resend', ({ id, body }) => {
    const event = getEvent(events, id);
    webhooks.resendEvent(event, body.webhook_ids as readonly string[] | undefined);
    return { status: 202, view: () => parseEvent(event) };
  });
}

interface EventView {
  readonly event_type: string;
  readonly create_time: string;
  readonly resource: { readonly id?: string };
}

/**
 * Returns the text of the event in a verification request. The signature covers the exact bytes
 * that PayPal sent, so verification fails if the caller parsed the event and serialized it
 * differently.
 */
function findEventText(request: string, event: { readonly id?: string }, log: EventLog): string {
  const sent = log.findEvent(event.id ?? '')?.body;
  return sent !== undefined && request.includes(sent) ? sent : JSON.stringify(event);
}

function getEvent(events: EventLog, id: string): RecordedEvent {
  const event = events.findEvent(id);
  if (!event) throw new NotFoundError();
  return event;
}

const parseEvent = ({ body }: RecordedEvent): EventView => JSON.parse(body) as EventView;
