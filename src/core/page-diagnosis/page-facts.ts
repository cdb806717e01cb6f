/** Part of a page whose markup has no effect. */
export type InactivePlace = 'template' | 'noscript' | 'comment' | 'script' | 'text';

export interface FormScript {
  /** Absolute URL. Empty for an inline script. */
  readonly url: string;
  readonly type: string;
  /** True if curly quotation marks surround the URL or the type, which are without them here. */
  readonly hasCurlyQuotes?: boolean;
  /** Name of the tool that holds the script back. */
  readonly delayedBy?: string | undefined;
  /** Name of the tool that bundled the form's script into this script. */
  readonly bundledBy?: string | undefined;
  /** Absent for a script that the browser loads. */
  readonly place?: InactivePlace | undefined;
}

export interface Concealment {
  readonly kind: 'hidden' | 'covered';
  /** CSS or geometry that conceals the element, such as `display: none`. */
  readonly reason: string;
  /** Short selector of the element that has the CSS, or that covers the form. */
  readonly selector: string;
  /** True if a dialog, tab, or the like reveals the element, or a visitor can close the cover. */
  readonly isTemporary: boolean;
}

/** `foreign`: another script registered the element. `shown`: it shows a form or its result. */
export type ElementState =
  'undefined-element' | 'foreign' | 'loading' | 'shown' | 'unavailable' | 'insecure';

/** A `<donation-form>`, its placeholder, or a `<donation-button>`. */
export interface FormElement {
  readonly tag: 'donation-form' | 'placeholder' | 'donation-button';
  readonly state: ElementState;
  readonly endpoint?: string | undefined;
  readonly formId?: string | undefined;
  readonly place?: InactivePlace | undefined;
  /** Absent if visitors can see the element, or if the page has not been rendered. */
  readonly concealment?: Concealment | undefined;
  readonly isPaymentSettled?: boolean;
}

export interface PolicyViolation {
  readonly directive: string;
  /** URL, or a keyword such as `inline` or `trusted-types-policy`. */
  readonly blocked: string;
  readonly isReportOnly: boolean;
  /** True if the policy has `'strict-dynamic'`, with which browsers ignore its script URLs. */
  readonly isStrictDynamic?: boolean;
}

export interface RequestResult {
  readonly url: string;
  /** Absent if there was no response, or if the page could not read it. */
  readonly status?: number | undefined;
  readonly mediaType?: string | undefined;
  readonly failure?: 'policy' | 'mixed-content' | 'cors' | 'integrity' | 'no-response' | undefined;
  /** The browser's or system's code for the failure, such as `net::ERR_NAME_NOT_RESOLVED`. */
  readonly errorCode?: string | undefined;
}

export interface EndpointResult extends RequestResult {
  /** Problem code (RFC 9457). */
  readonly code?: string | undefined;
  readonly detail?: string | undefined;
  readonly requestId?: string | undefined;
  readonly isForm: boolean;
  /** Origins of the payment provider's scripts and frames, if they differ from the usual ones. */
  readonly paymentOrigins?: readonly string[];
}

export interface PageFacts {
  readonly url: string;
  /** Origin of the document with the form. `null` for a sandboxed document or a file. */
  readonly origin: string;
  readonly isSecure: boolean;
  /** False if the page was only downloaded, so nothing is known about what its scripts do. */
  readonly isRendered: boolean;
  readonly scripts: readonly FormScript[];
  readonly elements: readonly FormElement[];
  readonly mistakes: readonly string[];
  /** True if the page has scripts or frames that could add the form if the page were rendered. */
  readonly mayChange?: boolean;
  /** Script tag that a tool holds back until a visitor acts, if the source has no other tag. */
  readonly delayedScript?: FormScript | undefined;
  /** True if the page's source has the element, although the rendered page may not. */
  readonly isElementInSource?: boolean;
  readonly violations: readonly PolicyViolation[];
  readonly requests: readonly RequestResult[];
  /** Versions or content hashes of the different scripts that tried to register the element. */
  readonly versions: readonly string[];
  readonly paymentError?: string | undefined;
  readonly scriptErrors: readonly string[];
  /** Absolute endpoint URL with a trailing slash, if known. */
  readonly endpointUrl?: string | undefined;
  readonly endpoint?: EndpointResult | undefined;
  /** True if the script's content differs from the endpoint's current script. */
  readonly isScriptOutdated?: boolean;
}
