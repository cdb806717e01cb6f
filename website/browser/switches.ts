const ENDPOINT = 'https://give.example.org';

/** Applies the home page's switches to the demo form and to the snippet. */
export function followSwitches(page: HTMLElement): void {
  const form = page.querySelector<HTMLElement>('donation-form')!;
  const switches = page.querySelector<HTMLFormElement>('.switches')!;
  const code = page.querySelector('.snippet code')!;

  function apply(): void {
    const amounts = switches.querySelector<HTMLInputElement>('[name=amounts]:checked')!;
    const values = new FormData(switches);
    const color = values.get('color') as string;
    const attributes = {
      amounts: amounts.value,
      amount: amounts.dataset.amount ?? '',
      language: values.get('language') as string,
    };
    for (const [name, value] of Object.entries(attributes)) {
      if (value === '') form.removeAttribute(name);
      else form.setAttribute(name, value);
    }
    form.style.setProperty('--donation-accent', color || null);
    code.textContent = formatSnippet(attributes, color);
  }

  switches.hidden = false;
  switches.addEventListener('change', apply);
  apply();
}

/** Formats the snippet, without the attributes and the color that are the form's defaults. */
function formatSnippet(attributes: Readonly<Record<string, string>>, color: string): string {
  const { language } = attributes;
  return [
    '<script type="module"',
    `  src="${ENDPOINT}/embed/main.js${language ? `?language=${language}` : ''}"></script>`,
    ...(color === '' ? [] : [`<style>donation-form { --donation-accent: ${color}; }</style>`]),
    '<donation-form',
    ...Object.entries({ 'form-id': 'main', ...attributes })
      .filter(([, value]) => value !== '')
      .map(([name, value]) => `  ${name}="${value}"`),
    '></donation-form>',
  ].join('\n');
}
