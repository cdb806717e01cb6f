const CONFIRMATION_TIME = 2_000;

/** Adds a button to each code block that copies its code. */
export function addCopyButtons(): void {
  for (const block of document.querySelectorAll('pre')) {
    const frame = document.createElement('div');
    frame.className = 'code';
    block.replaceWith(frame);
    frame.append(
      block,
      createCopyButton(() => block.textContent.trim()),
    );
  }
}

function createCopyButton(getCode: () => string): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(getCode()).then(() => {
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, CONFIRMATION_TIME);
    });
  });
  return button;
}
