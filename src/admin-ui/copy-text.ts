/**
 * Copies a text; where the browser does not, it is selected where it stands.
 * @param name of the text, such as `The link`.
 * @returns what to say of it.
 */
export async function copyText(
  text: string,
  shown: HTMLTextAreaElement,
  name: string,
): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return 'Copied';
  } catch {
    shown.select();
    return `${name} is selected: copy it with Ctrl+C, or ⌘C.`;
  }
}
