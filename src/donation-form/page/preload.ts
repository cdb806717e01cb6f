import { getRegisteredProviders } from '../payment-fields/registered-providers.ts';

/** URLs of the module of Stripe's payment field and of Stripe.js. */
export interface FieldFiles {
  readonly modulepreload: string;
  readonly preload: string;
}

const preloadedUrls = new Set<string>();

/** @param rel kind of preload, such as `modulepreload`. */
export function preload(rel: string, href: string, fetchPriority = 'auto'): void {
  if (preloadedUrls.has(href)) return;
  preloadedUrls.add(href);
  document.head.append(
    Object.assign(document.createElement('link'), { rel, href, as: 'script', fetchPriority }),
  );
}

/**
 * Preloads the files if the form is on the first screen and a half. Their low priority lets the
 * form's own files load first. Other visitors' browsers load nothing from payment providers yet.
 */
export function preloadFieldNearby(form: HTMLElement, files: FieldFiles): void {
  new IntersectionObserver(
    ([entry], observer) => {
      observer.disconnect();
      // A page's own provider may replace ours.
      if (!entry!.isIntersecting || getRegisteredProviders().size > 0) return;
      for (const rel of ['modulepreload', 'preload'] as const) preload(rel, files[rel], 'low');
    },
    { rootMargin: '50%' },
  ).observe(form);
}
