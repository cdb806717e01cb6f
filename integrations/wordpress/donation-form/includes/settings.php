<?php
/** What the settings page keeps: one value for each attribute, and where the link leads that stands in for a form. */

namespace DonationForm;

defined('ABSPATH') || exit;

const OPTION = 'donation_form';

/** @return string[] by attribute, and 'fallback'; '' where there is none. */
function settings(): array
{
    $kept = get_option(OPTION, []);
    $settings = [];
    foreach (attributes() + ['fallback' => []] as $name => $attribute) {
        $value = is_array($kept) && is_string($kept[$name] ?? null) ? $kept[$name] : '';
        $settings[$name] = $value === '' ? $attribute['usual'] ?? '' : $value;
    }
    return $settings;
}

/** What a form is given: its own values, and the settings' where it has none. */
function values(array $own): array
{
    $values = array_intersect_key(settings(), attributes());
    foreach ($values as $name => $value) {
        $given = is_scalar($own[$name] ?? null) ? trim((string) $own[$name]) : '';
        $values[$name] = $given === '' ? $value : $given;
    }
    return $values;
}
