<?php
/** Settings › Donation form. */

namespace DonationForm;

defined('ABSPATH') || exit;

const PAGE = 'donation-form';

add_action('admin_menu', static function (): void {
    add_options_page(__('Donation form', 'donation-form'), __('Donation form', 'donation-form'), 'manage_options', PAGE, __NAMESPACE__ . '\\settings_page');
});

add_action('admin_init', static function (): void {
    register_setting(PAGE, OPTION, ['type' => 'object', 'sanitize_callback' => __NAMESPACE__ . '\\sanitized', 'default' => []]);
    foreach (groups() as $group => $heading) {
        add_settings_section($group, $heading, $group === 'form' ? __NAMESPACE__ . '\\about_settings' : '__return_null', PAGE);
    }
    foreach (attributes() as $name => $attribute) {
        add_settings_field($name, $attribute['label'], __NAMESPACE__ . '\\setting', PAGE, $attribute['group'], ['name' => $name, 'label_for' => $name] + $attribute);
    }
    add_settings_field('fallback', __('Other ways to give', 'donation-form'), __NAMESPACE__ . '\\setting', PAGE, 'form', [
        'name' => 'fallback',
        'label_for' => 'fallback',
        'help' => __('Where a link leads that is shown until the form is there, and wherever it cannot be. A shortcode’s own content replaces it.', 'donation-form'),
    ]);
});

add_filter('plugin_action_links_' . plugin_basename(FOLDER . '/donation-form.php'), static function (array $links): array {
    return array_merge([sprintf('<a href="%s">%s</a>', esc_url(admin_url('options-general.php?page=' . PAGE)), esc_html__('Settings', 'donation-form'))], $links);
});

/** @param mixed $given what the page sent. */
function sanitized($given): array
{
    $kept = settings();
    $clean = [];
    foreach (array_keys($kept) as $name) {
        $value = is_array($given) && is_string($given[$name] ?? null) ? trim($given[$name]) : '';
        $clean[$name] = $name === 'endpoint' && $value !== '' ? sanitized_endpoint($value, $kept['endpoint']) : sanitized_value($name, $value);
    }
    return $clean;
}

function sanitized_endpoint(string $given, string $kept): string
{
    $endpoint = endpoint_address($given);
    if ($endpoint !== null) {
        return $endpoint;
    }
    /* translators: %s: what was entered */
    $words = sprintf(__('The endpoint “%s” was not saved. Expected an address such as https://give.example.org: with https (http on this machine only), without a query, and without a file’s name.', 'donation-form'), $given);
    if ($kept !== '') {
        /* translators: %s: an address */
        $words .= ' ' . sprintf(__('Until then this site’s forms come from %s.', 'donation-form'), $kept);
    }
    add_settings_error(OPTION, 'endpoint', esc_html($words));
    set_transient(refused_endpoint_name(), $given, MINUTE_IN_SECONDS);
    return $kept;
}

/** What an endpoint that was not saved waits under, until the page shows it to whoever entered it. */
function refused_endpoint_name(): string
{
    return 'donation_form_refused_' . get_current_user_id();
}

function sanitized_value(string $name, string $value): string
{
    $choices = attributes()[$name]['choices'] ?? [];
    if ($choices !== []) {
        return isset($choices[$value]) ? $value : '';
    }
    return in_array($name, ['thanks-url', 'fallback'], true) ? esc_url_raw($value, ['https', 'http']) : sanitize_text_field($value);
}

function about_settings(): void
{
    printf('<p>%s</p>', esc_html__('Every form of this site has these values where it says nothing else by itself. What is empty here is as the endpoint’s configuration says.', 'donation-form'));
}

/** The endpoint that was entered last and not saved, '' where there is none: the page shows it once more, to be mended. */
function refused_endpoint(): string
{
    static $refused = null;
    if ($refused === null) {
        $refused = (string) get_transient(refused_endpoint_name());
        delete_transient(refused_endpoint_name());
    }
    return $refused;
}

/** @param array $setting of {@see attributes()}, with its name. */
function setting(array $setting): void
{
    $name = $setting['name'];
    $refused = $name === 'endpoint' ? refused_endpoint() : '';
    $value = $refused === '' ? settings()[$name] : $refused;
    $attributes = sprintf('id="%1$s" name="%2$s[%1$s]" aria-describedby="%1$s-help"%3$s', esc_attr($name), esc_attr(OPTION), $refused === '' ? '' : ' aria-invalid="true"');
    if (isset($setting['choices'])) {
        $options = '';
        $unset = isset($setting['usual']) ? [] : ['' => __('As the form says', 'donation-form')];
        foreach ($unset + $setting['choices'] as $choice => $label) {
            $options .= sprintf('<option value="%s"%s>%s</option>', esc_attr($choice), selected($value, (string) $choice, false), esc_html($label));
        }
        printf('<select %s>%s</select>', $attributes, $options);
    } else {
        printf('<input type="text" class="regular-text" %s value="%s">', $attributes, esc_attr($value));
    }
    printf('<p class="description" id="%s-help">%s</p>', esc_attr($name), esc_html($setting['help']));
}

function settings_page(): void
{
    if (!current_user_can('manage_options')) {
        return;
    }
    $endpoint = endpoint_address(settings()['endpoint']);
    printf('<div class="wrap"><h1>%s</h1>', esc_html__('Donation form', 'donation-form'));
    if ($endpoint !== null && refused_endpoint() === '') {
        [$kind, $words] = endpoint_state($endpoint);
        printf('<div class="notice notice-%s inline"><p>%s</p></div>', esc_attr($kind), esc_html($words));
    }
    echo '<form method="post" action="options.php">';
    settings_fields(PAGE);
    do_settings_sections(PAGE);
    submit_button();
    echo '</form></div>';
}
