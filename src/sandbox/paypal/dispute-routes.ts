import type { Api } from './api.ts';
import type { PayPalContext } from './context.ts';
import type { Disputes } from './disputes.ts';

/** Adds the calls of Disputes v1 that list and show disputes. */
export function addDisputeRoutes(api: Api, context: PayPalContext, disputes: Disputes): void {
  api.addRoute('GET', '/v1/customer/disputes', ({ query }) => {
    const found = disputes
      .list(query.get('disputed_transaction_id') ?? undefined)
      .filter(
        ({ updateTime }) =>
          updateTime >= (query.get('update_time_after') ?? '') &&
          updateTime <= (query.get('update_time_before') ?? '9999'),
      )
      .slice(0, Number(query.get('page_size') ?? 10));
    return {
      status: 200,
      view: () => ({
        // The files require at least one item.
        ...(found.length > 0 && { items: found.map((dispute) => disputes.viewSummary(dispute)) }),
        links: [
          {
            href: `${context.getBaseUrl()}/v1/customer/disputes?${query}`,
            rel: 'self',
            method: 'GET',
          },
        ],
      }),
    };
  });
  api.addRoute('GET', '/v1/customer/disputes/:id', ({ id }) => {
    const dispute = context.store.get('dispute', id);
    return { status: 200, view: () => disputes.view(dispute) };
  });
}
