<?php
/** [donation_form amount="50"]<a href="/other-ways">Other ways to give</a>[/donation_form] */

namespace DonationForm;

defined('ABSPATH') || exit;

/** Attributes that say something by being there. */
const FLAGS = ['cover-costs', 'keep-address'];

add_shortcode('donation_form', static function ($given, $content = null): string {
    $own = [];
    foreach ((array) $given as $name => $value) {
        $is_bare = is_int($name);
        $name = strtolower((string) ($is_bare ? $value : $name));
        $own[$name] = in_array($name, FLAGS, true) && ($is_bare || $value === '') ? 'true' : (string) $value;
    }
    // Without attributes WordPress gives an empty string.
    $unknown = array_diff(array_keys($own), attribute_names(), ['']);
    $advice = $unknown === [] ? '' : for_authors(sprintf(
        /* translators: 1: names that were found, 2: names that are known */
        __('The shortcode has %1$s, which the form does not know. It knows %2$s.', 'donation-form'),
        implode(', ', $unknown),
        implode(', ', attribute_names())
    ));
    return form($own, (string) $content) . $advice;
});
