/** Adds a form to elements with `data-donation-form`, for sites that remove unknown tags. */
import { DonationFormElement } from '../form/donation-form.ts';
import { restoreFragment } from './restore-fragment.ts';
import { toArray } from './to-array.ts';

const PLACEHOLDER_ATTRIBUTE = 'data-donation-form';
const FORM_ATTRIBUTES = DonationFormElement.observedAttributes;

// Sites with untrusted authors can prevent these authors from creating forms.
if (!document.querySelector('script[data-placeholders=off]')) {
  for (const placeholder of toArray(document.querySelectorAll(`[${PLACEHOLDER_ATTRIBUTE}]`)))
    upgradePlaceholder(placeholder);

  new MutationObserver((changes) => {
    const changed = changes
      .flatMap(({ type, target, addedNodes }) =>
        type === 'attributes' ? [target] : toArray(addedNodes),
      )
      .filter((node): node is Element => node.nodeType === node.ELEMENT_NODE);
    for (const element of changed)
      for (const candidate of [
        element,
        ...toArray(element.querySelectorAll(`[${PLACEHOLDER_ATTRIBUTE}]`)),
      ])
        if (candidate.hasAttribute(PLACEHOLDER_ATTRIBUTE)) upgradePlaceholder(candidate);
  }).observe(document, {
    childList: true,
    subtree: true,
    attributeFilter: [PLACEHOLDER_ATTRIBUTE, ...FORM_ATTRIBUTES.map((name) => `data-${name}`)],
  });
}

// Here, because this module loads lazily and also on pages without a form.
restoreFragment();
if (new URLSearchParams(location.search).has('donation-form-debug'))
  import('../debug/page-panel.ts').then(
    ({ showPagePanel }) => showPagePanel(),
    () => undefined,
  );

function upgradePlaceholder(placeholder: Element): void {
  const existingForm = placeholder.querySelector(':scope > donation-form');
  const form = existingForm ?? document.createElement('donation-form');
  for (const name of FORM_ATTRIBUTES) {
    const value = placeholder.getAttribute(`data-${name}`);
    if (value === null) form.removeAttribute(name);
    else if (form.getAttribute(name) !== value) form.setAttribute(name, value);
  }
  if (existingForm) return;
  form.append(...toArray(placeholder.childNodes));
  placeholder.append(form);
}
