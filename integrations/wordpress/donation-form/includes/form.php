<?php
/** A form as it stands in a page. */

namespace DonationForm;

defined('ABSPATH') || exit;

/**
 * @param array  $own      the form's own values, by attribute.
 * @param string $fallback HTML that is shown until the form is there, and wherever it cannot be; the settings' link where empty.
 * @param string $wrapper  attributes that WordPress gives to a block, already escaped.
 */
function form(array $own, string $fallback = '', string $wrapper = ''): string
{
    $values = values($own);
    $content = trim($fallback) === '' ? fallback_link() : wp_kses_post($fallback);
    $endpoint = permitted_endpoint($values['endpoint']);
    if ($endpoint === null) {
        return $content . for_authors(endpoint_problem($values['endpoint']));
    }
    enqueue_script($endpoint);
    $values['endpoint'] = $endpoint;
    // Themes give blocks their width. The form is none before its script has come; the division is.
    return sprintf('<div%s><donation-form%s>%s</donation-form>%s</div>', $wrapper === '' ? '' : ' ' . $wrapper, written($values), $content, absence_note($endpoint));
}

function fallback_link(): string
{
    $address = settings()['fallback'];
    return $address === '' ? '' : sprintf('<a href="%s">%s</a>', esc_url($address), esc_html__('Other ways to give', 'donation-form'));
}

/** Why no form can be shown, and what to do about it. */
function endpoint_problem(string $given): string
{
    $trusted = endpoint_address(settings()['endpoint']);
    if ($trusted === null) {
        return __('There is no donation form here yet, because this site has no endpoint. Set its address in Settings › Donation form.', 'donation-form');
    }
    /* translators: 1: the address that was found, 2: the address of a server */
    return sprintf(__('There is no donation form here, because its endpoint is %1$s, and this site takes forms from %2$s only. Leave the form’s endpoint empty, or change the endpoint in Settings › Donation form.', 'donation-form'), $given, origin_of($trusted));
}

/** What authors are shown where the form does not come; their script shows it then. */
function absence_note(string $endpoint): string
{
    /* translators: 1: an address, 2: the origin of this site */
    $words = sprintf(__('The donation form did not come from %1$s. Check that address in Settings › Donation form, which also says whether the endpoint lets %2$s show its form. Where both are right, a Content-Security-Policy, a blocker or an optimizer of scripts stands between: the browser’s console names it.', 'donation-form'), $endpoint, origin_of(home_url()));
    $note = for_authors($words, 'hidden');
    if ($note !== '') {
        wp_enqueue_script('donation-form-author', plugins_url('author.js', FOLDER . '/donation-form.php'), [], VERSION, true);
    }
    return $note;
}

/**
 * Words that only those see who can do something about them.
 *
 * @param string $attributes of their paragraph, already escaped.
 */
function for_authors(string $words, string $attributes = ''): string
{
    return current_user_can('edit_posts') ? sprintf('<p role="note"%s><strong>%s</strong> %s</p>', $attributes === '' ? '' : ' ' . $attributes, esc_html__('Only authors see this:', 'donation-form'), esc_html($words)) : '';
}
