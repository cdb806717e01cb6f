/** Observes what a page knows about the form. Also runs in pages that `donation-form verify` opens. */
import {
  type ElementState,
  type FormElement,
  type FormScript,
  type InactivePlace,
  isFormScript,
  type PageFacts,
  readScriptTag,
} from '@donation-form/core/page-diagnosis';
import { resolveEndpointUrl } from '../page/endpoint-url.ts';
import { toArray } from '../page/to-array.ts';
import { findConcealment } from './find-concealment.ts';
import { findMistakes } from './find-mistakes.ts';

const ELEMENTS = 'donation-form, [data-donation-form], donation-button';
const ELEMENT_MARKUP = /<(?:donation-(?:form|button)[\s>]|\w+\s[^<>]*\bdata-donation-form\b)/i;

interface DocumentFacts extends Pick<
  PageFacts,
  'url' | 'origin' | 'isSecure' | 'scripts' | 'elements' | 'mistakes' | 'endpointUrl'
> {
  /** Version of the registered element. */
  readonly version?: string | undefined;
}

/** Inspects the current document. Scrolls, and restores the position afterward. */
export function inspectPage(): DocumentFacts {
  const allElements = findElements(document);
  const elements = allElements.filter(isForm);
  const forms = [...elements.map(inspectElement), ...findInactiveElements()];
  return {
    url: location.href,
    origin: window.origin,
    isSecure: isSecureContext,
    scripts: [
      ...toArray(document.scripts).flatMap((script) => readScript(script)),
      ...findInactiveScripts(),
    ].filter((script) => isFormScript(script, forms)),
    elements: forms,
    mistakes: findMistakes(allElements),
    version: getRegisteredVersion(),
    endpointUrl: getEndpointUrl(elements[0]),
  };
}

/** Finds all our elements, also inside open shadow roots. */
function findElements(root: Document | ShadowRoot): Element[] {
  const own = toArray(root.querySelectorAll(`${ELEMENTS}, donation-goal`));
  const inShadowRoots = toArray(root.querySelectorAll('*')).flatMap(({ shadowRoot, localName }) =>
    shadowRoot && localName !== 'donation-form' ? findElements(shadowRoot) : [],
  );
  return [...own, ...inShadowRoots];
}

/** A form in a placeholder represents both. A button represents the form in its dialog. */
function isForm(element: Element): boolean {
  return (
    element.localName !== 'donation-goal' &&
    !element.querySelector(':scope > donation-form') &&
    !element.closest('dialog[data-donation-form-dialog]')
  );
}

function readScript(script: HTMLScriptElement, place?: InactivePlace): FormScript[] {
  const attributes = Object.fromEntries(
    toArray(script.attributes).map(({ name, value }) => [name, value]),
  );
  const found = readScriptTag(attributes, script.textContent, document.baseURI);
  return found ? [{ ...found, place }] : [];
}

function findInactiveScripts(): FormScript[] {
  return toArray(document.querySelectorAll('template')).flatMap(({ content }) =>
    toArray(content.querySelectorAll('script')).flatMap((script) => readScript(script, 'template')),
  );
}

function inspectElement(element: Element): FormElement {
  const attribute = (name: string): string | undefined =>
    element.getAttribute(name) ?? element.getAttribute(`data-${name}`) ?? undefined;
  const state = getState(element);
  const isButton = element.localName === 'donation-button';
  return {
    tag: /^donation-(?:form|button)$/.test(element.localName)
      ? (element.localName as 'donation-form' | 'donation-button')
      : 'placeholder',
    state,
    endpoint: attribute('endpoint'),
    formId: attribute('form-id'),
    concealment:
      state === 'shown'
        ? findConcealment(isButton ? (element.querySelector('a') ?? element) : element)
        : undefined,
    isPaymentSettled: isButton || !element.shadowRoot?.querySelector('form .bone'),
  };
}

function getState(element: Element): ElementState {
  const { localName, shadowRoot } = element;
  if (localName === 'donation-button')
    return customElements.get(localName) ? 'shown' : 'undefined-element';
  if (!customElements.get('donation-form') || localName !== 'donation-form')
    return 'undefined-element';
  if (!shadowRoot?.querySelector('.root')) return 'foreign';
  if (shadowRoot.querySelector('#unavailable')) return isSecureContext ? 'unavailable' : 'insecure';
  return shadowRoot.querySelector('.skeleton') ? 'loading' : 'shown';
}

/** Finds elements in templates, `<noscript>`, comments, scripts that do not end, and text. */
function findInactiveElements(): FormElement[] {
  const places: InactivePlace[] = [];
  const templates = toArray(document.querySelectorAll('template'));
  if (templates.some(({ content }) => content.querySelector(ELEMENTS))) places.push('template');
  const walker = document.createTreeWalker(
    document.documentElement,
    NodeFilter.SHOW_TEXT | NodeFilter.SHOW_COMMENT,
  );
  while (walker.nextNode()) {
    const { nodeType, nodeValue, parentElement } = walker.currentNode;
    if (!ELEMENT_MARKUP.test(nodeValue ?? '')) continue;
    if (nodeType === document.COMMENT_NODE) places.push('comment');
    else if (parentElement?.closest('noscript')) places.push('noscript');
    else if (parentElement?.matches('script[src]')) places.push('script');
    else if (!parentElement?.closest('script, style')) places.push('text');
  }
  return places.map((place) => ({ tag: 'donation-form', state: 'undefined-element', place }));
}

function getFormClass() {
  return customElements.get('donation-form') as
    { readonly version?: unknown; readonly defaultEndpoint?: string } | undefined;
}

function getRegisteredVersion(): string | undefined {
  const formClass = getFormClass();
  return formClass && (typeof formClass.version === 'string' ? formClass.version : 'unknown');
}

function getEndpointUrl(element: Element | undefined): string | undefined {
  const value =
    element?.getAttribute('endpoint') ??
    element?.getAttribute('data-endpoint') ??
    getFormClass()?.defaultEndpoint;
  return value === undefined ? undefined : resolveEndpointUrl(value);
}
