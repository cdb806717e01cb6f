import { LitElement, type PropertyDeclarations } from 'lit';
import type { PageSettings } from '../page/window-types.ts';

/** The attributes of `<donation-form>`, each also a property, and the property `settings`. */
export class DonationFormBase extends LitElement {
  static override properties: PropertyDeclarations = {
    endpoint: {},
    formId: { attribute: 'form-id' },
    amount: {},
    amounts: {},
    frequency: {},
    currency: {},
    language: {},
    segment: {},
    project: {},
    projectPreselect: { attribute: 'project-preselect' },
    coverCosts: { attribute: 'cover-costs' },
    settings: { attribute: false },
    settingsKey: { attribute: 'settings-key' },
    urlParams: { attribute: 'url-params' },
    ignoreParams: { attribute: 'ignore-params' },
    keepUrlParams: { attribute: 'keep-url-params', type: Boolean },
    successUrl: { attribute: 'success-url' },
    debug: { type: Boolean },
  };

  /** URL of the donation endpoint. */
  declare endpoint: string | undefined;
  /** ID of one of the endpoint's forms. Default: the first. */
  declare formId: string | undefined;

  /**
   * Suggested amount in major units. The page's settings and the URL override this and the
   * properties that follow.
   */
  declare amount: string | number | null | undefined;
  /** Suggested amounts in major units: `25,50,100`, or an array. */
  declare amounts: string | readonly (string | number)[] | null | undefined;
  /** `once`, `monthly`, `quarterly`, `annually`, or another frequency that the form offers. */
  declare frequency: string | null | undefined;
  /** ISO 4217 code. */
  declare currency: string | null | undefined;
  /** BCP 47 tag; by default the language of the page, or else of the browser. */
  declare language: string | null | undefined;
  /** Segment that the donation is attributed to. */
  declare segment: string | null | undefined;
  /** Code of the project that receives the donation; the donor cannot change it. */
  declare project: string | null | undefined;
  /** Code of the preselected project. */
  declare projectPreselect: string | null | undefined;
  /** Selects the fee cover by default. As an attribute: present, `true`, or `false`. */
  declare coverCosts: boolean | string | null | undefined;
  /**
   * Settings in the shape of `window.ServiceDonorsForms.settings`; the properties above override
   * them.
   */
  declare settings: PageSettings | null | undefined;
  /** Member of `window.ServiceDonorsForms` with this form's settings; `settings` by default. */
  declare settingsKey: string | undefined;
  /** `off`: ignores the parameters of the page's URL. */
  declare urlParams: string | undefined;
  /** Comma-separated URL parameters to ignore, because this site uses them for something else. */
  declare ignoreParams: string | undefined;
  /** Leaves names, email, phone, and street in the page's URL after reading them. */
  declare keepUrlParams: boolean;
  /** URL of the site's own thank-you page, opened after a donation and the page's callbacks. */
  declare successUrl: string | null | undefined;
  /**
   * Shows below the form where each setting came from, as `?donation-form-debug` in the URL does.
   */
  declare debug: boolean;
}
