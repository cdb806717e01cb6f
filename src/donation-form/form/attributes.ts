import { LitElement, type PropertyDeclarations } from 'lit';
import type { PageSettings } from '../page/window-types.ts';

/** The attributes of `<donation-form>`, which are also properties, and the `settings` property. */
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
   * Preselected amount, in major units. The page's settings and the URL override this property and
   * those from `amounts` to `settings`.
   */
  declare amount: string | number | null | undefined;
  /** Suggested amounts, in major units: `25,50,100`, or an array. */
  declare amounts: string | readonly (string | number)[] | null | undefined;
  /** `once`, `monthly`, `quarterly`, `annually`, or another frequency that the form offers. */
  declare frequency: string | null | undefined;
  /** ISO 4217 code. */
  declare currency: string | null | undefined;
  /** BCP 47 tag. Default: the page's language, or else the browser's. */
  declare language: string | null | undefined;
  /** Segment that the donation is attributed to. */
  declare segment: string | null | undefined;
  /** Code of the project that receives the donation. The donor cannot change the project. */
  declare project: string | null | undefined;
  /** Code of the preselected project. */
  declare projectPreselect: string | null | undefined;
  /** Selects the fee cover by default. As an attribute, may be empty, `true`, or `false`. */
  declare coverCosts: boolean | string | null | undefined;
  /**
   * Settings with the structure of `window.ServiceDonorsForms.settings`. The properties above
   * override them.
   */
  declare settings: PageSettings | null | undefined;
  /**
   * Name of the member of `window.ServiceDonorsForms` with this form's settings. Default:
   * `settings`.
   */
  declare settingsKey: string | undefined;
  /** `off` ignores the parameters of the page's URL. */
  declare urlParams: string | undefined;
  /**
   * Comma-separated names of URL parameters to ignore, because the site uses them for other
   * purposes.
   */
  declare ignoreParams: string | undefined;
  /** Prevents the form from removing names, email, phone, and street from the page's URL. */
  declare keepUrlParams: boolean;
  /**
   * URL of the site's own thank-you page. The form opens it after the donation and the page's
   * callbacks.
   */
  declare successUrl: string | null | undefined;
  /** Shows the source of each setting below the form, like `?donation-form-debug` in the URL. */
  declare debug: boolean;
}
