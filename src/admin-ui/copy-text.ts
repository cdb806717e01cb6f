/**
 * Copies text, or selects it in its text area if the browser denies clipboard access.
 * @param name name of the text, such as `The link`.
 * @returns a message for the user.
 */
export async function copyText(
  text: string,
  textArea: HTMLTextAreaElement,
  name: string,
): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return 'Copied';
  } catch {
    textArea.select();
    return `${name} is selected. Press Ctrl+C or ⌘C to copy it.`;
  }
}
