/** Messages about mistakes in a page's HTML that browsers accept silently. */

/** Attributes whose names have several words. The other attributes have no camelCase name. */
export const HYPHENATED_ATTRIBUTES: readonly string[] = [
  'form-id',
  'project-preselect',
  'cover-costs',
  'settings-key',
  'url-params',
  'ignore-params',
  'keep-url-params',
  'success-url',
];

const toWord = (name: string): string => name.replace(/[-_]/g, '');

/** Describes attributes that were written like properties: HTML reads `formId` as `formid`. */
export function describeMisspelledAttributes(tag: string, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const [, prefix = '', words = ''] = /^(data-)?(.*)$/.exec(name)!;
    const known = HYPHENATED_ATTRIBUTES.find((attribute) => toWord(attribute) === toWord(words));
    return known === undefined || known === words
      ? []
      : `<${tag}> ignores the attribute ${name}; write ${prefix}${known}`;
  });
}

export function describeUnclosedElement(tag: string): string {
  return `<${tag} … /> contains what follows, because HTML ignores the slash; write <${tag} …></${tag}>`;
}

/** Describes an element that contains what a slash was probably meant to exclude. */
export function describeSuspectedContent(tag: string): string {
  return `<${tag}> may contain what follows it, because HTML ignores the slash in <${tag} … />; write <${tag} …></${tag}>`;
}
