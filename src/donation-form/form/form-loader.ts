import type { CSSResult } from 'lit';
import type { FormDefinition } from '@donation-form/core/schemas';
import type { FormContext } from '../state/form-state.ts';
import { type Language, en, type FormTexts, type Tables } from '@donation-form/core/i18n';
import {
  type Candidate,
  readComponent,
  type Decisions,
  readSettings,
  merge,
} from '@donation-form/core/settings';
import type { Change } from '../sections/address-controller.ts';
import { fetchForm } from './endpoint.ts';
import { loadTables } from './language.ts';
import type { OptionalSections } from '../sections/optional-sections.ts';
import type { Page } from '../page/page-context.ts';
import { FEW_PROJECTS } from '../sections/amount.ts';

/**
 * Where a form's offer comes from: the definition from an endpoint, the texts of its language, and
 * the settings of the page.
 */
export class FormLoader {
  /** The endpoint's address, ending in a slash. */
  readonly base: string;
  readonly formId: string | undefined;
  readonly language: Language;
  /** The ETag of the definition that was loaded last. */
  etag = '';
  /** The texts of the form's language; absent where they are not there yet, and in English. */
  tables: Tables | undefined;
  /** What the form's rarer parts need, where the definition has any. */
  optionalSections: OptionalSections | undefined;
  /** Styles of what the definition has beyond the plain form. */
  styles: readonly CSSResult[] = [];
  /** What decided the last offer, and what it left out. */
  decisions: Decisions | undefined;
  /** What the page says to this form; all of it but the address may change. */
  page: Page;

  readonly #change: Change;

  /** @param change changes what the donor entered. */
  constructor(
    base: string,
    formId: string | undefined,
    language: Language,
    page: Page,
    change: Change,
  ) {
    this.base = base;
    this.formId = formId;
    this.language = language;
    this.page = page;
    this.#change = change;
  }

  get texts(): FormTexts {
    return this.tables?.form ?? en;
  }

  /** Whether the texts of the form's language are there. */
  get isTranslated(): boolean {
    return this.language === 'en' || this.tables !== undefined;
  }

  /**
   * Fetches the definition, and what is needed to show it.
   * @param currency the one that the donor chose.
   * @throws where it does not come.
   */
  async load(currency?: string): Promise<FormContext> {
    const form = fetchForm(this.base, this.formId, this.language);
    // Where the form does not come, that is said in its language.
    form.catch(() => undefined);
    this.tables = await loadTables(this.language);
    const { definition, etag } = await form;
    this.etag = etag;
    this.optionalSections = undefined;
    if (needsOptionalSections(definition)) await this.#loadOptionalSections(definition);
    return this.createContext(definition, currency);
  }

  async #loadOptionalSections(definition: FormDefinition): Promise<void> {
    const [{ OptionalSections, optionalStyles, withOwnWords }, { Address } = {}] =
      await Promise.all([
        import('../sections/optional-sections.ts'),
        asksCountry(definition) ? import('../sections/address-controller.ts') : undefined,
      ]);
    if (Object.keys(definition.texts).length > 0)
      this.tables = withOwnWords(this.tables, definition.texts);
    this.optionalSections = new OptionalSections(
      Address &&
        new Address(
          this.base,
          this.language,
          definition,
          this.#change,
          this.texts,
          this.tables?.address,
        ),
      this.tables?.more,
    );
    this.styles = [optionalStyles];
  }

  /**
   * A definition with the settings as they are now.
   * @param currency the one that the donor chose.
   */
  createContext(definition: FormDefinition, currency?: string): FormContext {
    const candidates = this.candidates();
    const { settings, decisions } = merge(definition, candidates, currency);
    this.decisions = decisions;
    const { decimalMark } = this.texts;
    return {
      definition,
      settings,
      decimalMark,
      more: this.optionalSections?.startOf(definition, candidates, decimalMark) ?? {},
    };
  }

  /** What the page says now, the strongest first. */
  candidates(): Candidate[] {
    const { addresses, settings, component } = this.page;
    return [...addresses, ...readSettings(settings, 'global'), ...readComponent(component)];
  }
}

const asksCountry = ({ donorFields }: FormDefinition): boolean =>
  donorFields.some(({ name }) => name === 'country');

/** Whether a form has parts that most forms have not. */
function needsOptionalSections(definition: FormDefinition): boolean {
  const {
    monthlyUpsell,
    projects,
    allowSplit,
    allowTribute,
    allowOrganizations,
    allowAnonymous,
    consents,
    customFields,
    texts,
    payments,
  } = definition;
  return [
    monthlyUpsell,
    allowSplit,
    allowTribute,
    allowOrganizations,
    allowAnonymous,
    consents[0],
    projects[FEW_PROJECTS],
    projects.some(({ goal }) => goal),
    asksCountry(definition),
    customFields.some(({ label }) => label),
    payments[1],
    payments[0].methods.length === 0,
    Object.keys(texts)[0],
  ].some(Boolean);
}
