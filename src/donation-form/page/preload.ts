/** URLs of a payment field's module and of its provider's script. */
export interface FieldFiles {
  readonly modulepreload: string;
  readonly preload: string;
}

/** @param rel kind of preload, such as `modulepreload`. */
export function preload(rel: string, href: string, fetchPriority = 'auto'): void {
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
      if (!entry!.isIntersecting) return;
      for (const rel of ['modulepreload', 'preload'] as const) preload(rel, files[rel], 'low');
    },
    { rootMargin: '50%' },
  ).observe(form);
}
