import type { Api } from './api.ts';
import { createLink, type PayPalContext } from './context.ts';
import type { Disputes } from './disputes.ts';

/** Adds the Disputes v1 routes that list and show disputes. */
export function addDisputeRoutes(api: Api, context: PayPalContext, disputes: Disputes): void {
  api.addRoute('GET', '/v1/customer/disputes', ({ query }) => {
    const found = disputes
      .listDisputes(query.get('disputed_transaction_id') ?? undefined)
      .filter(
        ({ updateTime }) =>
          Date.parse(updateTime) >= Date.parse(query.get('update_time_after') ?? '1970-01-01') &&
          Date.parse(updateTime) <= Date.parse(query.get('update_time_before') ?? '9999-01-01'),
      );
    const size = Number(query.get('page_size') ?? 10);
    // The page token is the number of disputes on earlier pages.
    const start = Number(atob(query.get('next_page_token') ?? '')) || 0;
    const page = found.slice(start, start + size);
    const next = new URLSearchParams(query);
    next.set('next_page_token', btoa(String(start + size)));
    const url = `${context.getBaseUrl()}/v1/customer/disputes`;
    return {
      status: 200,
      view: () => ({
        // PayPal's OpenAPI files require at least one item.
        ...(page.length > 0 && {
          items: page.map((dispute) => disputes.serializeDisputeSummary(dispute)),
        }),
        links: [
          createLink(`${url}?${query}`, 'self'),
          ...(start + size < found.length ? [createLink(`${url}?${next}`, 'next')] : []),
        ],
      }),
    };
  });
  api.addRoute('GET', '/v1/customer/disputes/:id', ({ id }) => {
    const dispute = context.store.getRecord('dispute', id);
    return { status: 200, view: () => disputes.serializeDispute(dispute) };
  });
}
