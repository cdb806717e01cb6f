/**
 * Copies text to the clipboard, or selects the text in its text area if the browser denies
 * clipboard access.
 * @param name name of the text in the message, such as `The link`.
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

export function downloadFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  URL.revokeObjectURL(url);
}
