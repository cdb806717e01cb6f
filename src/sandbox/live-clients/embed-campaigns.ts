import { Hono } from 'hono';
import type { Campaign } from '../data/records.ts';
import { createRequestError, parseNonNegativeInteger } from '../lib/request-parsing.ts';

/** Default value of the `pageSize` parameter. */
const DEFAULT_PAGE_SIZE = 25;

/**
 * Creates the routes that the older vendor's WordPress plugin calls. The routes return campaigns
 * with the HTML code that embeds each campaign's page.
 */
export function createEmbedCampaignRoutes(campaigns: readonly Campaign[]): Hono {
  const app = new Hono();
  app.get('/', (c) => {
    const { page = '1', pageSize = String(DEFAULT_PAGE_SIZE) } = c.req.query();
    const size = parseNonNegativeInteger('pageSize', pageSize);
    const end = parseNonNegativeInteger('page', page) * size;
    return c.json(campaigns.slice(Math.max(0, end - size), end).map(toEmbedCampaign));
  });
  app.get('/search', (c) => {
    const text = (c.req.query('searchFor') ?? '').toLowerCase();
    return c.json(
      campaigns.filter(({ name }) => name.toLowerCase().includes(text)).map(toEmbedCampaign),
    );
  });
  app.get('/:id', (c) => {
    const campaign = campaigns.find(({ id }) => String(id) === c.req.param('id'));
    if (!campaign) throw createRequestError('The campaign does not exist.', 404);
    return c.json(toEmbedCampaign(campaign));
  });
  return app;
}

function toEmbedCampaign({ id, name, description }: Campaign): object {
  const form = `<div data-sandbox-campaign="${id}"></div>`;
  return {
    campaignId: id,
    publicTitle: name,
    internalTitle: name,
    motivationCode: '',
    sourceCode: '',
    embedScripts: {
      pageContentWithDonationForm: `<h1>${name}</h1><p>${description}</p>${form}`,
      donationFormOnly: form,
    },
  };
}
