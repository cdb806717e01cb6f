/** Inserts the endpoint URL into the page's snippets, and adds a button to each that copies it. */

const CONFIRMATION_TIME = 2_000;
const COPY = 'Copy snippet';

const url = new URL('.', location.href).href.replace(/\/$/, '');
for (const element of document.querySelectorAll('.endpoint-url')) element.textContent = url;
for (const snippet of document.querySelectorAll('.form-entry pre'))
  snippet.before(createCopyButton(snippet));

function createCopyButton(snippet: Element): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = COPY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  button.addEventListener('click', () => {
    void copyOrSelect(snippet).then((message) => {
      button.textContent = message;
      clearTimeout(timer);
      timer = setTimeout(() => {
        button.textContent = COPY;
      }, CONFIRMATION_TIME);
    });
  });
  return button;
}

/** Copies a snippet, or selects it without clipboard access (no HTTPS). Returns a message. */
async function copyOrSelect(snippet: Element): Promise<string> {
  try {
    await navigator.clipboard.writeText(snippet.textContent);
    return 'Copied';
  } catch {
    getSelection()?.selectAllChildren(snippet);
    return 'Press Ctrl+C or ⌘C';
  }
}
