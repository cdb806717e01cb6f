import type { FormDefinition } from '../contract/form-definition.ts';
import type { Offer } from '../form/state.ts';
import type { Candidate } from '../settings/candidate.ts';
import type { Explanation } from '../settings/explain.ts';
import { globalNames, readGlobal } from '../settings/global.ts';
import { merge } from '../settings/settings.ts';
import { URL_NAMES, readUrl } from '../settings/url.ts';
import type { Endpoint } from './endpoint.ts';

/** Where a form's offer comes from: the definition from an endpoint, and the settings of the page, which may change. */
export class OfferSource {
  readonly endpoint: Endpoint;
  readonly formId: string | undefined;
  /** The ETag of the definition that was loaded last. */
  etag = '';
  /** What the page's address said when the form was connected: single-page applications change it. */
  readonly #landing: string;

  constructor(endpoint: Endpoint, formId: string | undefined, landing: string) {
    this.endpoint = endpoint;
    this.formId = formId;
    this.#landing = landing;
  }

  /** Fetches the definition. @throws where none comes back. */
  async load(): Promise<Offer> {
    const { definition, etag } = await this.endpoint.form(this.formId);
    this.etag = etag;
    return this.offer(definition);
  }

  /** A definition with the settings as they are now. */
  offer(definition: FormDefinition): Offer {
    return { definition, settings: merge(definition, this.#candidates()).settings };
  }

  async explain({ definition }: Offer): Promise<Explanation> {
    const candidates = this.#candidates(), merged = merge(definition, candidates);
    const { explain } = await import('../settings/explain.ts');
    return explain(merged, candidates, [
      { layer: 'url', given: [...new URLSearchParams(this.#landing).keys()], known: Object.values(URL_NAMES).flat() },
      { layer: 'global', ...globalNames(window) },
    ]);
  }

  #candidates(): Candidate[] {
    return [...readUrl(this.#landing), ...readGlobal(window)];
  }
}
