import {
  LANGUAGES,
  languageOf,
  type Language,
  importTables,
  type Tables,
} from '@donation-form/core/i18n';

/**
 * The language of a form: the one that its tag names, then the page's around it, then the
 * browser's; the first that the form speaks.
 */
export function languageFor(
  form: HTMLElement & { readonly language: string | null | undefined },
): Language {
  return (
    [form.language, languageAround(form), ...navigator.languages]
      .map((tag) => languageOf(tag ?? ''))
      .find(Boolean) ?? LANGUAGES[0]
  );
}

/** The language that the page names, also where the form stands in shadow roots. */
function languageAround(node: Element | undefined): string | undefined {
  return (
    node &&
    (node.closest<HTMLElement>('[lang]')?.lang ??
      languageAround((node.getRootNode() as Partial<ShadowRoot>).host))
  );
}

/** The texts of a language that is not in the script itself. */
export async function loadTables(language: Language): Promise<Tables | undefined> {
  return language === 'en' ? undefined : (await importTables(language)).tables;
}
