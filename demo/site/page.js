/** A site's own script: sets the form's callbacks, and logs its events and settings. */
(() => {
  const SOURCES = {
    url: 'the URL',
    landing: 'an earlier URL',
    global: "the page's settings",
    element: 'the element',
  };

  window.ServiceDonorsForms = window.ServiceDonorsForms || {};
  window.ServiceDonorsForms.settings = {
    onLoad: () => addLogEntry('onLoad()'),
    onSuccess: (response) => addLogEntry('onSuccess(response)', response),
  };

  function addLogEntry(name, content) {
    const entry = document.createElement('li');
    const title = document.createElement('strong');
    const time = document.createElement('time');
    const text = document.createElement('pre');
    title.textContent = name;
    time.textContent = new Date().toLocaleTimeString('en-US');
    text.textContent = content === undefined ? '' : JSON.stringify(content, null, 2);
    entry.append(title, ' ', time, text);
    const show = () => {
      const log = document.getElementById('log');
      log.prepend(entry);
      document.getElementById('count').textContent = String(log.children.length);
    };
    if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', show);
    else show();
  }

  function showMailLink(reference) {
    const mail = document.getElementById('mail');
    const link = mail.querySelector('a');
    link.search = new URLSearchParams({ email: reference });
    mail.hidden = false;
  }

  function showSettings({ settings, unrecognized }) {
    const lines = [
      ...settings.flatMap(describeSetting),
      ...unrecognized.map(describeUnrecognizedName),
    ];
    const items = lines.length > 0 ? lines : ['None: the form uses its definition.'];
    document.getElementById('settings').replaceChildren(...items.map(createListItem));
  }

  function describeSetting({ setting, applied, overridden, ignored }) {
    const describeValue = ({ source, name, value }) =>
      `${setting}: ${JSON.stringify(value)} from ${SOURCES[source]} (${name})`;
    return [
      ...(applied ? [describeValue(applied)] : []),
      ...overridden.map((value) => `${describeValue(value)} was overridden`),
      ...ignored.map(
        (value) => `${describeValue(value)} was ignored: ${value.reason.replaceAll('-', ' ')}`,
      ),
    ];
  }

  function describeUnrecognizedName({ source, name, suggestion }) {
    const hint = suggestion ? ` Did you mean ${suggestion}?` : '';
    return `${name} in ${SOURCES[source]} is not a known name.${hint}`;
  }

  function createListItem(text) {
    const item = document.createElement('li');
    item.textContent = text;
    return item;
  }

  document.addEventListener('donation-form-load', ({ type, target }) => {
    addLogEntry(type);
    target
      .explain()
      .then(showSettings, (error) => addLogEntry('explain() failed', { error: String(error) }));
  });
  document.addEventListener('donation-form-submit', ({ type }) => addLogEntry(type));
  document.addEventListener('donation-form-success', ({ type, reference, gift }) => {
    addLogEntry(type, { reference, gift });
    // The form's thank-you has its own title.
    document.querySelector('.card-title')?.remove();
    showMailLink(reference);
  });
  document.addEventListener('donation-form-error', ({ type, code }) => addLogEntry(type, { code }));
})();
