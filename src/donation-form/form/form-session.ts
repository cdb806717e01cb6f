import type { CSSResult } from 'lit';
import type { FormContext } from '@donation-form/core/form-state';
import {
  enForm,
  type FormTexts,
  importTranslation,
  type Language,
  type Translation,
} from '@donation-form/core/i18n';
import type { FormDefinition } from '@donation-form/core/schemas';
import { resolveFormSettings, SettingResolver } from '@donation-form/core/settings';
import type { PageContext } from '../page/page-context.ts';
import type { FieldFiles } from '../page/preload.ts';
import type { AddressFields, EditsUpdater } from '../sections/address-fields.ts';
import { MAX_PROJECTS_WITHOUT_SEARCH } from '../sections/amount.ts';
import type { UpsellAnnouncement } from '../sections/monthly-upsell.ts';
import { fetchForm } from './endpoint.ts';

type FormSessionOptions = Pick<
  FormSession,
  'endpointUrl' | 'formId' | 'language' | 'pageContext'
> & { readonly updateEdits: EditsUpdater };

/** One attempt to show a form: loads its definition and translation, and reads its settings. */
export class FormSession {
  /** With a trailing slash. */
  readonly endpointUrl: string;
  readonly formId: string | undefined;
  readonly language: Language;
  etag = '';
  fieldFiles: FieldFiles | undefined;
  /** Translation into the form's language. Absent until loaded, and always absent for English. */
  translation: Translation | undefined;
  /** Present only if the definition needs optional sections. */
  optionalSections: typeof import('../sections/optional-sections.ts') | undefined;
  /** Present if the form asks for the country. */
  address: AddressFields | undefined;
  upsellAnnouncement: UpsellAnnouncement = {};
  styleSheets: readonly CSSResult[] = [];
  /** Explains the settings in the most recent context. */
  resolver: SettingResolver | undefined;
  pageContext: PageContext;
  /** Undefined until the `next-steps` chunk has loaded. */
  removeCurrencySigns: FormContext['removeCurrencySigns'];

  readonly #updateEdits: EditsUpdater;
  readonly #abortController = new AbortController();

  constructor({ endpointUrl, formId, language, pageContext, updateEdits }: FormSessionOptions) {
    this.endpointUrl = endpointUrl;
    this.formId = formId;
    this.language = language;
    this.pageContext = pageContext;
    this.#updateEdits = updateEdits;
  }

  get signal(): AbortSignal {
    return this.#abortController.signal;
  }

  end(): void {
    this.#abortController.abort();
  }

  get texts(): FormTexts {
    return this.translation?.form ?? enForm;
  }

  get isTranslated(): boolean {
    return this.language === 'en' || this.translation !== undefined;
  }

  /** @throws if the request fails. */
  async loadForm(currency?: string): Promise<FormContext> {
    const response = fetchForm(this.endpointUrl, this.formId, this.language);
    // Prevents an unhandled rejection while the translation is loading.
    response.catch(() => undefined);
    const reading = this.pageContext.loadUrlReader();
    // The script already contains English.
    const translation = this.language === 'en' ? undefined : await importTranslation(this.language);
    this.translation ??= translation;
    const { definition, etag, fieldFiles } = await response;
    await reading;
    const parts = needsOptionalSections(definition) ? await importParts(definition) : undefined;
    // Without a wait, because a form that loads again shows all of this.
    this.etag = etag;
    this.fieldFiles = fieldFiles;
    this.translation = parts?.overrideTexts?.(translation, definition.texts) ?? translation;
    this.optionalSections = parts?.optionalSections;
    this.styleSheets = parts ? [parts.optionalSections.optionalStyles] : [];
    this.address = parts?.AddressFields && this.#createAddress(parts.AddressFields);
    return this.createFormContext(definition, currency);
  }

  #createAddress(AddressFieldsClass: typeof AddressFields): AddressFields {
    return (
      this.address ??
      new AddressFieldsClass({
        endpointUrl: this.endpointUrl,
        language: this.language,
        updateEdits: this.#updateEdits,
        texts: this.translation?.address,
        element: this.pageContext.element,
      })
    );
  }

  createFormContext(definition: FormDefinition, currency?: string): FormContext {
    const candidates = this.pageContext.readSettings(definition);
    this.resolver = new SettingResolver(candidates);
    const { decimalSeparator } = this.texts;
    return {
      definition,
      settings: resolveFormSettings(this.resolver, definition, currency),
      decimalSeparator,
      removeCurrencySigns: this.removeCurrencySigns,
      initialOptionalValues:
        this.optionalSections?.getInitialValues(definition, candidates, decimalSeparator) ?? {},
    };
  }
}

async function importParts(definition: FormDefinition) {
  const [optionalSections, { AddressFields } = {}, { overrideTexts } = {}] = await Promise.all([
    import('../sections/optional-sections.ts'),
    requiresCountry(definition) ? import('../sections/address-fields.ts') : undefined,
    Object.keys(definition.texts)[0] ? import('./override-texts.ts') : undefined,
  ]);
  return { optionalSections, AddressFields, overrideTexts };
}

const requiresCountry = ({ donorFields }: FormDefinition): boolean =>
  donorFields.some(({ name }) => name === 'country');

function needsOptionalSections(definition: FormDefinition): boolean {
  return [
    definition.monthlyUpsell,
    definition.allowSplit,
    definition.allowTribute,
    definition.allowOrganizations,
    definition.allowAnonymous,
    definition.giftAid,
    definition.consents[0],
    definition.currencies[1],
    definition.frequencies[4],
    !definition.allowCustomAmount,
    definition.projects[MAX_PROJECTS_WITHOUT_SEARCH],
    definition.projects.some(({ goal }) => goal),
    requiresCountry(definition),
    definition.customFields.some(({ label }) => label),
    definition.payments[1],
    definition.payments[0].options.methods?.includes(','),
    definition.payments[0].methods.length === 0,
    Object.keys(definition.texts)[0],
  ].some(Boolean);
}
