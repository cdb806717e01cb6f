<?php
/** [donation_form amount="50"]<a href="/other-ways">Other ways to give</a>[/donation_form] */

namespace DonationForm;

defined('ABSPATH') || exit;

/** Boolean attributes, which need no value. */
const BOOLEAN_ATTRIBUTES = ['cover-costs', 'keep-url-params'];

add_shortcode('donation_form', static function ($attributes, $content = null): string {
    $own_values = [];
    foreach ((array) $attributes as $key => $value) {
        $has_no_value = is_int($key);
        $name = strtolower((string) ($has_no_value ? $value : $key));
        // WordPress passes an empty string if there are no attributes.
        if ($name === '') {
            continue;
        }
        $is_true = in_array($name, BOOLEAN_ATTRIBUTES, true) && ($has_no_value || $value === '');
        $own_values[$name] = $is_true ? 'true' : (string) $value;
    }
    $unknown = array_diff(array_keys($own_values), get_attribute_names());
    $note = $unknown === [] ? '' : render_author_note(sprintf(
        /* translators: 1: names of attributes, 2: names of attributes */
        __('The shortcode has unknown attributes: %1$s. Known attributes are %2$s.', 'donation-form'),
        implode(', ', $unknown),
        implode(', ', get_attribute_names())
    ));
    return render_form($own_values, (string) $content) . $note;
});
