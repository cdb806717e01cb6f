<?php
/** Renders a form in a page. */

namespace DonationForm;

defined('ABSPATH') || exit;

/**
 * @param array  $own_values         the form's own values, by attribute.
 * @param string $fallback           HTML that is shown until the form is ready and if it cannot be
 *                                   shown; if empty, the link from the settings.
 * @param string $wrapper_attributes WordPress's attributes for a block, already escaped.
 */
function render_form(array $own_values, string $fallback = '', string $wrapper_attributes = ''): string
{
    $values = merge_values($own_values);
    $content = trim($fallback) === '' ? render_fallback_link() : wp_kses_post($fallback);
    $endpoint = get_allowed_endpoint($values['endpoint']);
    if ($endpoint === null) {
        return $content . render_author_note(describe_endpoint_problem($values['endpoint']));
    }
    enqueue_form_script($endpoint);
    $values['endpoint'] = $endpoint;
    // Themes set the width of blocks on the div: the form has no size before its script loads.
    return sprintf(
        '<div%s><donation-form%s>%s</donation-form>%s</div>',
        $wrapper_attributes === '' ? '' : ' ' . $wrapper_attributes,
        render_attributes($values),
        $content,
        render_load_error_note($endpoint)
    );
}

function render_fallback_link(): string
{
    $url = get_plugin_settings()['fallback'];
    if ($url === '') {
        return '';
    }
    return sprintf('<a href="%s">%s</a>', esc_url($url), esc_html__('Other ways to give', 'donation-form'));
}

function describe_endpoint_problem(string $input): string
{
    $trusted = normalize_endpoint(get_plugin_settings()['endpoint']);
    if ($trusted === null) {
        return __('The donation form is not shown because the URL of the donation server is not set. Set it in Settings › Donation form.', 'donation-form');
    }
    return sprintf(
        /* translators: 1: the URL of the form's endpoint, 2: the origin of the site's endpoint */
        __('The donation form is not shown because its donation server is %1$s, but this site allows only %2$s. Clear the form’s Donation server setting, or change the one in Settings › Donation form.', 'donation-form'),
        $input,
        get_origin($trusted)
    );
}

/** Renders a hidden note for authors. A script shows it if the form does not load. */
function render_load_error_note(string $endpoint): string
{
    $text = sprintf(
        /* translators: 1: a URL, 2: the origin of this site */
        __('Cannot load the donation form from %1$s. Settings › Donation form shows whether the URL is correct and whether the server allows %2$s. If both are fine, a Content-Security-Policy, an ad blocker, or a plugin that optimizes scripts may be blocking the form; see the browser’s console.', 'donation-form'),
        $endpoint,
        get_origin(home_url())
    );
    $note = render_author_note($text, 'hidden');
    if ($note !== '') {
        $script = plugins_url('author.js', FOLDER . '/donation-form.php');
        wp_enqueue_script('donation-form-author', $script, [], VERSION, true);
    }
    return $note;
}

/**
 * Renders a note that only users who can edit posts see.
 *
 * @param string $attributes attributes of the note's paragraph, already escaped.
 */
function render_author_note(string $text, string $attributes = ''): string
{
    if (!current_user_can('edit_posts')) {
        return '';
    }
    return sprintf(
        '<p role="note"%s><strong>%s</strong> %s</p>',
        $attributes === '' ? '' : ' ' . $attributes,
        esc_html__('Only authors see this:', 'donation-form'),
        esc_html($text)
    );
}
