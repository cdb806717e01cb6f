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

  document.addEventListener('donation-form-load', ({ type }) => write(type));
  document.addEventListener('donation-form-submit', ({ type }) => write(type));
  document.addEventListener('donation-form-success', ({ type, reference, gift }) => write(type, { reference, gift }));
  document.addEventListener('donation-form-error', ({ type, code }) => write(type, { code }));
})();
