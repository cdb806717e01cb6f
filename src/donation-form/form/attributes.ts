import { LitElement, type PropertyDeclarations } from 'lit';
import type { PageSettings } from '../page/window-types.ts';

/**
 * Base class with the attributes of `<donation-form>` as properties, and the `settings` property.
 */
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

  /** URL of the donation server. */
  declare endpoint: string | undefined;
  /** ID of one of the endpoint's forms. Default: the first form. */
  declare formId: string | undefined;

  /**
   * Preselected amount, in major units. The page's settings and the URL override this property and
   * the properties from `amounts` to `settings`.
   */
  declare amount: string | number | null | undefined;
  /** Suggested amounts, in major units: a comma-separated list such as `25,50,100`, or an array. */
  declare amounts: string | readonly (string | number)[] | null | undefined;
  /**
   * Preselected frequency: `once`, `monthly`, `quarterly`, `annually`, or another frequency that
   * the form offers.
   */
  declare frequency: string | null | undefined;
  /** ISO 4217 code. */
  declare currency: string | null | undefined;
  /**
   * Language of the form, as a BCP 47 tag. Default: the page's language, or else the browser's
   * language.
   */
  declare language: string | null | undefined;
  /** Segment to which the donation is attributed. */
  declare segment: string | null | undefined;
  /** Code of the project that receives the donation. The donor cannot change the project. */
  declare project: string | null | undefined;
  /** Code of the preselected project. */
  declare projectPreselect: string | null | undefined;
  /** Selects the fee cover by default. The attribute's value can be empty, `true`, or `false`. */
  declare coverCosts: boolean | string | null | undefined;
  /**
   * Settings with the structure of `window.ServiceDonorsForms.settings`. Individual properties,
   * such as `amount`, override these settings.
   */
  declare settings: PageSettings | null | undefined;
  /**
   * Name of the `window.ServiceDonorsForms` property that contains this form's settings. Default:
   * `settings`.
   */
  declare settingsKey: string | undefined;
  /** If `off`, the form ignores the parameters in the page's URL. */
  declare urlParams: string | undefined;
  /**
   * Comma-separated names of URL parameters that the form ignores because the site uses them for
   * other purposes.
   */
  declare ignoreParams: string | undefined;
  /**
   * Prevents the form from removing names, emails, phone numbers, and street addresses from the
   * page's URL.
   */
  declare keepUrlParams: boolean;
  /**
   * URL of the site's own thank-you page. The form opens this page after the donation and the
   * page's callbacks.
   */
  declare successUrl: string | null | undefined;
  /**
   * Shows a panel below the form with the source of each setting. `?donation-form-debug` in the URL
   * has the same effect.
   */
  declare debug: boolean;

  /**
   * Dispatches an event, also if the page has replaced this method with one that throws.
   * @internal
   */
  override dispatchEvent(event: Event): boolean {
    try {
      return super.dispatchEvent(event);
    } catch (error) {
      console.error(error);
      return true;
    }
  }
}
