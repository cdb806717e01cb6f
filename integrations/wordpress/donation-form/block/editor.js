/** The block in the editor: its settings, and the endpoint's own form, which takes nothing here. */
((wp, site) => {
  const { InspectorControls, useBlockProps } = wp.blockEditor;
  const { Button, Notice, PanelBody, Placeholder, SelectControl, TextControl } = wp.components;
  const { createElement, useEffect, useRef, useState } = wp.element;
  const { __, sprintf } = wp.i18n;

  /** How long typing has to rest before the preview follows, milliseconds. */
  const REST = 400;
  /** Attributes that a preview does not have: what they say is about the published page. */
  const ONLY_PUBLISHED = ['thanks-url', 'url-params', 'ignore-params', 'keep-address'];

  /**
   * What the form is given, by attribute: the block's own values, and the settings' where it has
   * none.
   */
  const valuesOf = (attributes) =>
    Object.fromEntries(
      site.fields.map(({ name, attribute, inherited }) => [
        name,
        attributes[attribute].trim() || inherited,
      ]),
    );

  const originOf = (address) => (URL.canParse(address) ? new URL(address).origin : undefined);

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
        ? createElement(Preview, { values: valuesOf(attributes) })
        : createElement(WithoutEndpoint),
    );
  }

  function Field({ field, value, onChange }) {
    // The two switches are how controls of later versions look; without them WordPress says in the
    // console that this will change.
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
      ? /* translators: %s: what the settings say */
        sprintf(__('As in the settings: %s', 'donation-form'), inherited.label)
      : __('As the form says', 'donation-form');
    return createElement(SelectControl, {
      ...common,
      options: [{ value: '', label: unset }, ...field.choices],
    });
  }

  function WithoutEndpoint() {
    const instructions = site.settingsPage
      ? __(
          'The form comes from your donation endpoint. Set its address once for this site, then reload this page.',
          'donation-form',
        )
      : __(
          'The form comes from a donation endpoint, and this site has none yet. Ask an administrator to set its address in Settings › Donation form.',
          'donation-form',
        );
    return createElement(
      Placeholder,
      { icon: 'heart', label: __('Donation form', 'donation-form'), instructions },
      // A button, since the editor's canvas follows no links.
      site.settingsPage &&
        createElement(
          Button,
          { variant: 'primary', onClick: () => window.open(site.settingsPage) },
          __('Set the endpoint', 'donation-form'),
        ),
    );
  }

  function Preview({ values }) {
    const place = useRef();
    const [problem, setProblem] = useState('');
    useEffect(() => {
      const rest = setTimeout(() => void show(place.current, values, setProblem), REST);
      return () => clearTimeout(rest);
    }, [JSON.stringify(values)]);
    return [
      problem &&
        createElement(Notice, { key: 'problem', status: 'warning', isDismissible: false }, problem),
      createElement('div', { key: 'form', ref: place }),
    ];
  }

  /** Shows the form that the values say, in whichever document the editor draws the page. */
  async function show(place, values, say) {
    place.inert = true;
    const { endpoint } = values;
    if (originOf(endpoint) !== originOf(site.endpoint) || /[?#@]|\.js$/i.test(endpoint)) {
      /* translators: 1: the address that was found, 2: the address of a server */
      return say(
        sprintf(
          __(
            'The endpoint of this form is %1$s, and this site takes forms from %2$s only. Leave it empty, or change the endpoint in Settings › Donation form.',
            'donation-form',
          ),
          endpoint,
          originOf(site.endpoint),
        ),
      );
    }
    try {
      await loadScript(place.ownerDocument, endpoint);
    } catch {
      /* translators: %s: an address */
      return say(
        sprintf(
          __(
            'The form’s script could not be loaded from %s. Check the endpoint’s address in Settings › Donation form, and that the endpoint is running; then reload this page.',
            'donation-form',
          ),
          endpoint,
        ),
      );
    }
    const form = place.querySelector('donation-form') ?? newForm(place, say);
    for (const [name, value] of Object.entries({
      ...values,
      language: values.language || site.language,
    })) {
      if (value && !ONLY_PUBLISHED.includes(name)) form.setAttribute(name, value);
      else form.removeAttribute(name);
    }
    form.setAttribute('url-params', 'off');
    if (!form.isConnected) place.append(form);
    await form.updateComplete;
    void sayIgnored(form, say);
  }

  function newForm(place, say) {
    const form = place.ownerDocument.createElement('donation-form');
    form.addEventListener('donation-form-submit', (event) => event.preventDefault());
    form.addEventListener('donation-form-setting-ignored', (event) => event.preventDefault());
    form.addEventListener('donation-form-load', () => void sayIgnored(form, say));
    form.addEventListener('donation-form-error', () => {
      // The next one tries again.
      form.remove();
      say(
        sprintf(
          /* translators: 1: an address, 2: the origin of this site */
          __(
            'The endpoint %1$s does not give this form to this page. Most often %2$s is missing from "origins" in the endpoint’s configuration, or the form’s id is not one of its forms. Mend it there, then reload this page.',
            'donation-form',
          ),
          form.endpoint,
          window.location.origin,
        ),
      );
    });
    return form;
  }

  /** Names what does not count, such as a project that the form does not have. */
  async function sayIgnored(form, say) {
    const explanation = await form.explain();
    if (!explanation || !form.isConnected) return;
    const ignored = explanation.settings
      .flatMap((setting) => setting.ignored)
      .filter(({ layer }) => layer === 'element');
    const label = ({ name, value }) =>
      `${site.fields.find((field) => field.name === name)?.label ?? name} (${value})`;
    /* translators: %s: names of settings, each with its value */
    say(
      ignored.length === 0
        ? ''
        : sprintf(
            __(
              'Not valid, or not offered by the form, and therefore left out: %s.',
              'donation-form',
            ),
            ignored.map(label).join(', '),
          ),
    );
  }

  /**
   * Loads the endpoint's script into a document: that of the editor's canvas has elements of its
   * own.
   */
  function loadScript(page, endpoint) {
    if (page.defaultView.customElements.get('donation-form')) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const script = page.createElement('script');
      Object.assign(script, {
        type: 'module',
        src: `${endpoint}/donation-form.js`,
        onload: resolve,
        onerror: reject,
      });
      page.head.append(script);
    });
  }

  wp.blocks.registerBlockType('donation-form/form', { edit: Edit, save: () => null });
})(window.wp, window.donationFormSite);
