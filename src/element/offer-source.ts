import type { FormDefinition } from '../contract/form-definition.ts';
import type { Offer } from '../form/state.ts';
import type { Candidate } from '../settings/candidate.ts';
import { readComponent } from '../settings/component.ts';
import type { Decisions } from '../settings/decisions.ts';
import type { Explanation } from '../settings/explain.ts';
import { readSettings } from '../settings/page-settings.ts';
import { merge } from '../settings/settings.ts';
import { fetchForm } from './endpoint.ts';
import type { Page } from './page.ts';

/** Where a form's offer comes from: the definition from an endpoint, and the settings of the page. */
export class OfferSource {
  /** The endpoint's address, ending in a slash. */
  readonly base: string;
  readonly formId: string | undefined;
  /** The ETag of the definition that was loaded last. */
  etag = '';
  /** What decided the last offer, and what it left out. */
  decisions: Decisions | undefined;
  /** What the page says to this form; all of it but the address may change. */
  page: Page;

  constructor(base: string, formId: string | undefined, page: Page) {
    this.base = base;
    this.formId = formId;
    this.page = page;
  }

  /** Fetches the definition. @throws where none comes back. */
  async load(): Promise<Offer> {
    const { definition, etag } = await fetchForm(this.base, this.formId);
    this.etag = etag;
    return this.offer(definition);
  }

  /** A definition with the settings as they are now. */
  offer(definition: FormDefinition): Offer {
    const { settings, decisions } = merge(definition, this.candidates());
    this.decisions = decisions;
    return { definition, settings };
  }

  async explain({ definition }: Offer): Promise<Explanation> {
    const { search, settings, component } = this.page, candidates = this.candidates();
    const { explain, mergeHidden, unreadInAddress, unreadInSettings } = await import('./explaining.ts');
    return explain([merge(definition, candidates).decisions, mergeHidden(definition, candidates).decisions], [...unreadInAddress(search), ...unreadInSettings(settings, 'global'), ...unreadInSettings(component.settings, 'element')]);
  }

  /** What the page says now, the strongest first. */
  candidates(): Candidate[] {
    const { addresses, settings, component } = this.page;
    return [...addresses, ...readSettings(settings, 'global'), ...readComponent(component)];
  }
}
