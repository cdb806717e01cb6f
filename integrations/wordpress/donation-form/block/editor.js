/** The block in the editor: its settings, and a preview in which nothing can be submitted. */
((wp, site) => {
  const { InspectorControls, useBlockProps } = wp.blockEditor;
  const { Button, Notice, PanelBody, Placeholder, SelectControl, TextControl } = wp.components;
  const { createElement, useEffect, useRef, useState } = wp.element;
  const { __, sprintf } = wp.i18n;

  /** Delay before the preview follows typing, in milliseconds. */
  const PREVIEW_DELAY = 400;
  /** Attributes that apply only to the published page. */
  const PUBLISHED_ONLY = ['success-url', 'url-params', 'ignore-params', 'keep-url-params'];

  /** Merges the block's values with the settings, which apply where the block has no value. */
  const mergeValues = (attributes) =>
    Object.fromEntries(
      site.fields.map(({ name, attribute, inherited }) => [
        name,
        attributes[attribute].trim() || inherited,
      ]),
    );

  const getOrigin = (url) => (URL.canParse(url) ? new URL(url).origin : undefined);

  function Edit({ attributes, setAttributes }) {
    return createElement(
      'div',
      useBlockProps(),
      createElement(
        InspectorControls,
        null,
        Object.entries(site.groups).map(([group, title]) =>
          createElement(
            PanelBody,
            { key: group, title, initialOpen: group === 'gift' },
            site.fields
              .filter((field) => field.group === group)
              .map((field) =>
                createElement(Field, {
                  key: field.name,
                  field,
                  value: attributes[field.attribute],
                  onChange: (value) => setAttributes({ [field.attribute]: value }),
                }),
              ),
          ),
        ),
      ),
      site.endpoint
        ? createElement(Preview, { values: mergeValues(attributes) })
        : createElement(MissingEndpoint),
    );
  }

  function Field({ field, value, onChange }) {
    // WordPress warns in the console about controls without these two flags.
    const common = {
      label: field.label,
      help: field.help,
      value,
      onChange,
      __nextHasNoMarginBottom: true,
      __next40pxDefaultSize: true,
    };
    if (field.choices.length === 0)
      return createElement(TextControl, { ...common, placeholder: field.inherited });
    const inherited = field.choices.find((choice) => choice.value === field.inherited);
    const unset = inherited
      ? /* translators: %s: a choice */
        sprintf(__('Site default: %s', 'donation-form'), inherited.label)
      : __('Form default', 'donation-form');
    return createElement(SelectControl, {
      ...common,
      options: [{ value: '', label: unset }, ...field.choices],
    });
  }

  function MissingEndpoint() {
    const instructions = site.settingsPage
      ? __(
          'The form comes from your donation server. Set the server’s URL once for this site, then reload this page.',
          'donation-form',
        )
      : __(
          'The URL of the donation server is not set yet. Ask an administrator to set it in Settings › Donation form.',
          'donation-form',
        );
    return createElement(
      Placeholder,
      { icon: 'heart', label: __('Donation form', 'donation-form'), instructions },
      // A button, because links do nothing in the editor's canvas.
      site.settingsPage &&
        createElement(
          Button,
          { variant: 'primary', onClick: () => window.open(site.settingsPage) },
          __('Set the URL', 'donation-form'),
        ),
    );
  }

  function Preview({ values }) {
    const container = useRef();
    const [problem, setProblem] = useState('');
    useEffect(() => {
      const timer = setTimeout(
        () => void showPreview(container.current, values, setProblem),
        PREVIEW_DELAY,
      );
      return () => clearTimeout(timer);
    }, [JSON.stringify(values)]);
    return [
      problem &&
        createElement(Notice, { key: 'problem', status: 'warning', isDismissible: false }, problem),
      createElement('div', { key: 'form', ref: container }),
    ];
  }

  /** Shows the form with these values in the container, which may be in the canvas's own document. */
  async function showPreview(container, values, setProblem) {
    container.inert = true;
    const { endpoint } = values;
    if (getOrigin(endpoint) !== getOrigin(site.endpoint) || /[?#@]|\.js$/i.test(endpoint)) {
      /* translators: 1: the URL of the form's endpoint, 2: the origin of the site's endpoint */
      return setProblem(
        sprintf(
          __(
            'The donation server of this form is %1$s, but this site allows only %2$s. Clear the form’s Donation server setting, or change the one in Settings › Donation form.',
            'donation-form',
          ),
          endpoint,
          getOrigin(site.endpoint),
        ),
      );
    }
    try {
      await loadScript(container.ownerDocument, endpoint);
    } catch {
      /* translators: %s: a URL */
      return setProblem(
        sprintf(
          __(
            'Cannot load the form from %s. Check that the URL in Settings › Donation form is correct and that the server is running. Then reload this page.',
            'donation-form',
          ),
          endpoint,
        ),
      );
    }
    const form = container.querySelector('donation-form') ?? createForm(container, setProblem);
    for (const [name, value] of Object.entries({
      ...values,
      language: values.language || site.language,
    })) {
      if (value && !PUBLISHED_ONLY.includes(name)) form.setAttribute(name, value);
      else form.removeAttribute(name);
    }
    form.setAttribute('url-params', 'off');
    if (!form.isConnected) container.append(form);
    await form.updateComplete;
    void reportIgnoredValues(form, setProblem);
  }

  function createForm(container, setProblem) {
    const form = container.ownerDocument.createElement('donation-form');
    form.addEventListener('donation-form-submit', (event) => event.preventDefault());
    form.addEventListener('donation-form-setting-ignored', (event) => event.preventDefault());
    form.addEventListener('donation-form-load', () => void reportIgnoredValues(form, setProblem));
    form.addEventListener('donation-form-error', () => {
      // The next change of a value creates another form.
      form.remove();
      setProblem(
        sprintf(
          /* translators: 1: a URL, 2: the origin of this site */
          __(
            'The server at %1$s does not provide this form to this site. Check that the form’s ID is correct and that "origins" in the server’s configuration includes %2$s. Then reload this page.',
            'donation-form',
          ),
          form.endpoint,
          window.location.origin,
        ),
      );
    });
    return form;
  }

  /** Reports values that the form ignores, such as a project that it does not have. */
  async function reportIgnoredValues(form, setProblem) {
    const explanation = await form.explain();
    if (!explanation || !form.isConnected) return;
    const ignored = explanation.settings
      .flatMap((setting) => setting.ignored)
      .filter(({ source }) => source === 'element');
    const describeValue = ({ name, value }) =>
      `${site.fields.find((field) => field.name === name)?.label ?? name} (${value})`;
    /* translators: %s: names of settings, each with its value */
    setProblem(
      ignored.length === 0
        ? ''
        : sprintf(
            __(
              'The form ignores these values because they are invalid or not offered: %s.',
              'donation-form',
            ),
            ignored.map(describeValue).join(', '),
          ),
    );
  }

  /** Loads the endpoint's script into a document. The editor's canvas may be a document of its own. */
  function loadScript(targetDocument, endpoint) {
    if (targetDocument.defaultView.customElements.get('donation-form')) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const script = targetDocument.createElement('script');
      Object.assign(script, {
        type: 'module',
        src: `${endpoint}/donation-form.js`,
        onload: resolve,
        onerror: reject,
      });
      targetDocument.head.append(script);
    });
  }

  wp.blocks.registerBlockType('donation-form/form', { edit: Edit, save: () => null });
})(window.wp, window.donationFormSite);
