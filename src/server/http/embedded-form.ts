import type { LocalizedDefinition } from '../organizations/organization.ts';
import { createPublicBody, type PublicBody } from '../lib/public-body.ts';

/** Each script needs about 80 kB with its compressed copies. */
const MAX_CACHED_SCRIPTS = 256;

/**
 * Builds and caches the scripts of `/embed/FORM.js`: the embed script, after a statement with a
 * form's definition. The form then needs no request to appear.
 */
export class EmbeddedFormScripts {
  /** The least recently used script first. */
  readonly #scripts = new Map<LocalizedDefinition | undefined, PublicBody>();

  /**
   * @param script text of `donation-form.js`.
   * @param embedded definition in one language, or `undefined` for a script without one.
   */
  getScript(script: string, embedded: EmbeddedForm | undefined): PublicBody {
    const key = embedded?.localized;
    const body =
      this.#scripts.get(key) ??
      createPublicBody(
        (embedded ? renderDefinition(embedded) : '') + resolveFromParentFolder(script),
      );
    this.#scripts.delete(key);
    this.#scripts.set(key, body);
    const [leastRecentlyUsed] = this.#scripts.keys();
    if (this.#scripts.size > MAX_CACHED_SCRIPTS) this.#scripts.delete(leastRecentlyUsed);
    return body;
  }
}

export interface EmbeddedForm {
  readonly localized: LocalizedDefinition;
  /** As the form requests it. */
  readonly language: string;
}

/**
 * Provides a definition as the response of `GET /form`, after the compile hint, which must come
 * first.
 */
function renderDefinition({
  localized: { definition, text, etag },
  language,
}: EmbeddedForm): string {
  const query = new URLSearchParams({ id: definition.id, language }).toString();
  const url = `new URL(${JSON.stringify(`../form?${query}`)},import.meta.url).href`;
  return (
    '//# allFunctionsCalledOnLoad\n(globalThis[Symbol.for("donation-form definitions")]??={})' +
    `[${url}]={definition:${text},etag:${JSON.stringify(etag)}};`
  );
}

/** The script is in a folder of its own. */
function resolveFromParentFolder(script: string): string {
  return script
    .replace('new URL(`.`,import.meta.url)', 'new URL(`..`,import.meta.url)')
    .replaceAll('`./', '`../');
}
