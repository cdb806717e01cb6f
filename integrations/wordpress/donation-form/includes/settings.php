<?php
/**
 * The stored settings: a default value for each attribute, the URL of the fallback link, and the forms
 * of another vendor's campaigns.
 */

namespace DonationForm;

defined('ABSPATH') || exit;

const OPTION = 'donation_form';

/** @return string[] by attribute, 'fallback', and 'campaign-forms'; '' if there is no value. */
function get_plugin_settings(): array
{
    $stored = get_option(OPTION, []);
    $settings = [];
    foreach (get_attributes() + ['fallback' => [], 'campaign-forms' => []] as $name => $attribute) {
        $value = is_array($stored) && is_string($stored[$name] ?? null) ? $stored[$name] : '';
        $settings[$name] = $value === '' ? $attribute['default'] ?? '' : $value;
    }
    return $settings;
}

/** Merges a form's own values with the settings, which apply where the form has no value. */
function merge_values(array $own_values): array
{
    $values = array_intersect_key(get_plugin_settings(), get_attributes());
    foreach ($values as $name => $default) {
        $own_value = is_scalar($own_values[$name] ?? null) ? trim((string) $own_values[$name]) : '';
        $values[$name] = $own_value === '' ? $default : $own_value;
    }
    return $values;
}
