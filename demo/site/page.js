/** What a site's own script would do: settings for the form, and an ear for what happens in it. */
(() => {
  const write = (name, content) => {
    const entry = document.createElement('li');
    const title = document.createElement('strong');
    const time = document.createElement('time');
    const text = document.createElement('pre');
    title.textContent = name;
    time.textContent = new Date().toLocaleTimeString('en-GB');
    text.textContent = content === undefined ? '' : JSON.stringify(content, null, 2);
    entry.append(title, ' ', time, text);
    const show = () => {
      const log = document.getElementById('log');
      log.prepend(entry);
      document.getElementById('count').textContent = String(log.children.length);
    };
    if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', show);
    else show();
  };

  window.ServiceDonorsForms = window.ServiceDonorsForms || {};
  window.ServiceDonorsForms.settings = {
    onLoad: () => write('onLoad()'),
    onSuccess: (response) => write('onSuccess(response)', response),
  };

  const LAYERS = {
    url: 'the address',
    landing: 'an earlier address',
    global: "the page's settings",
    element: 'the element',
  };
  const line = (text) => {
    const entry = document.createElement('li');
    entry.textContent = text;
    return entry;
  };
  const showSettings = ({ settings, unread }) => {
    const lines = settings.flatMap(({ setting, decided, beaten, ignored }) => [
      ...(decided
        ? [
            `${setting}: ${JSON.stringify(decided.value)} from ${LAYERS[decided.layer]} (${decided.name})`,
          ]
        : []),
      ...beaten.map(
        ({ layer, name, value }) =>
          `${setting}: ${JSON.stringify(value)} from ${LAYERS[layer]} (${name}) was weaker`,
      ),
      ...ignored.map(
        ({ layer, name, value, reason }) =>
          `${setting}: ${JSON.stringify(value)} from ${LAYERS[layer]} (${name}) was ignored: ${reason.replace('-', ' ')}`,
      ),
    ]);
    const strange = unread.map(
      ({ layer, name, meant }) =>
        `${name} in ${LAYERS[layer]} is read by nothing${meant ? `; did you mean ${meant}?` : ''}`,
    );
    const all = [...lines, ...strange];
    document
      .getElementById('settings')
      .replaceChildren(
        ...(all.length > 0 ? all : ['The form as its definition has it.']).map(line),
      );
  };

  document.addEventListener('donation-form-load', ({ type, target }) => {
    write(type);
    target
      .explain()
      .then(showSettings, (error) => write('explain() failed', { error: String(error) }));
  });
  document.addEventListener('donation-form-submit', ({ type }) => write(type));
  document.addEventListener('donation-form-success', ({ type, reference, gift }) =>
    write(type, { reference, gift }),
  );
  document.addEventListener('donation-form-error', ({ type, code }) => write(type, { code }));
})();
