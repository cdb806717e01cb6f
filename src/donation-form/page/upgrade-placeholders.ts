/**
 * Forms for sites that strip unknown tags: each element with `data-donation-form` gets a form,
 * whose attributes are its data attributes, also where it comes later or these change.
 * What stands inside it is the form's fallback.
 */
import { DonationFormElement } from '../form/donation-form.ts';

const PLACE = 'data-donation-form';
const NAMES = DonationFormElement.observedAttributes;

// Where others than the site's owner write pages, the script's tag says that no `div` of theirs
// becomes a form.
if (!document.querySelector('script[data-places=off]')) {
  for (const place of document.querySelectorAll(`[${PLACE}]`)) fill(place);

  new MutationObserver((changes) => {
    const changed = changes
      .flatMap(({ type, target, addedNodes }) =>
        type === 'attributes' ? [target] : [...addedNodes],
      )
      .filter((node) => node instanceof Element);
    for (const element of changed)
      for (const place of [element, ...element.querySelectorAll(`[${PLACE}]`)])
        if (place.hasAttribute(PLACE)) fill(place);
  }).observe(document, {
    childList: true,
    subtree: true,
    attributeFilter: [PLACE, ...NAMES.map((name) => `data-${name}`)],
  });
}

function fill(place: Element): void {
  const present = place.querySelector(':scope > donation-form');
  const form = present ?? document.createElement('donation-form');
  for (const name of NAMES) {
    const value = place.getAttribute(`data-${name}`);
    if (value === null) form.removeAttribute(name);
    else if (form.getAttribute(name) !== value) form.setAttribute(name, value);
  }
  if (present) return;
  form.append(...place.childNodes);
  place.append(form);
}
