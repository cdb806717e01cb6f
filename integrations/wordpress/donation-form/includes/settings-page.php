<?php
/** The page Settings › Donation form. */

namespace DonationForm;

defined('ABSPATH') || exit;

const PAGE = 'donation-form';

add_action('admin_menu', static function (): void {
    $title = __('Donation form', 'donation-form');
    add_options_page($title, $title, 'manage_options', PAGE, __NAMESPACE__ . '\\print_settings_page');
});

add_action('admin_init', static function (): void {
    register_setting(PAGE, OPTION, [
        'type' => 'object',
        'sanitize_callback' => __NAMESPACE__ . '\\sanitize_settings',
        'default' => [],
    ]);
    foreach (get_attribute_groups() as $group => $heading) {
        $print_help = $group === 'form' ? __NAMESPACE__ . '\\print_settings_help' : '__return_null';
        add_settings_section($group, $heading, $print_help, PAGE);
    }
    $print_field = __NAMESPACE__ . '\\print_setting_field';
    foreach (get_attributes() as $name => $attribute) {
        $field = ['name' => $name, 'label_for' => $name] + $attribute;
        add_settings_field($name, $attribute['label'], $print_field, PAGE, $attribute['group'], $field);
    }
    add_settings_field('fallback', __('Other ways to give', 'donation-form'), $print_field, PAGE, 'form', [
        'name' => 'fallback',
        'label_for' => 'fallback',
        'help' => __('URL of a link that appears until the form is ready, or if the form cannot load. The content of a shortcode replaces the link.', 'donation-form'),
    ]);
    add_settings_field('campaign-forms', __('Campaign forms', 'donation-form'), $print_field, PAGE, 'links', [
        'name' => 'campaign-forms',
        'label_for' => 'campaign-forms',
        'help' => __('Only for pages with the [raise-donors] shortcode: campaign IDs, each with a form ID, such as 101=winter, 102=river. Other campaigns show the default form.', 'donation-form'),
    ]);
});

add_filter('plugin_action_links_' . plugin_basename(FOLDER . '/donation-form.php'), static function (array $links): array {
    $url = admin_url('options-general.php?page=' . PAGE);
    $link = sprintf('<a href="%s">%s</a>', esc_url($url), esc_html__('Settings', 'donation-form'));
    return array_merge([$link], $links);
});

/** @param mixed $input what the browser sent. */
function sanitize_settings($input): array
{
    $stored = get_plugin_settings();
    $settings = [];
    foreach (array_keys($stored) as $name) {
        $value = is_array($input) && is_string($input[$name] ?? null) ? trim($input[$name]) : '';
        $settings[$name] = $name === 'endpoint' && $value !== ''
            ? sanitize_endpoint($value, $stored['endpoint'])
            : sanitize_value($name, $value);
    }
    return $settings;
}

/** Returns the normalized endpoint, or the stored one and an error message. */
function sanitize_endpoint(string $input, string $stored): string
{
    $endpoint = normalize_endpoint($input);
    if ($endpoint !== null) {
        return $endpoint;
    }
    $message = sprintf(
        /* translators: %s: what the user entered */
        __('The URL “%s” was not saved. Enter a URL such as https://give.example.org, without a query or a file name. It must start with https:// (http:// is allowed only for localhost).', 'donation-form'),
        $input
    );
    if ($stored !== '') {
        /* translators: %s: a URL */
        $message .= ' ' . sprintf(__('This site’s forms still use %s.', 'donation-form'), $stored);
    }
    add_settings_error(OPTION, 'endpoint', esc_html($message));
    set_transient(get_rejected_endpoint_key(), $input, MINUTE_IN_SECONDS);
    return $stored;
}

/** Returns the transient that stores a rejected endpoint until the page shows it to the same user. */
function get_rejected_endpoint_key(): string
{
    return 'donation_form_rejected_' . get_current_user_id();
}

function sanitize_value(string $name, string $value): string
{
    $choices = get_attributes()[$name]['choices'] ?? [];
    if ($choices !== []) {
        return isset($choices[$value]) ? $value : '';
    }
    $is_url = in_array($name, ['success-url', 'fallback'], true);
    return $is_url ? esc_url_raw($value, ['https', 'http']) : sanitize_text_field($value);
}

function print_settings_help(): void
{
    printf(
        '<p>%s</p>',
        esc_html__('Defaults for all forms on this site. A block or shortcode can override them. If a setting is empty here too, the server’s configuration applies.', 'donation-form')
    );
}

/** Returns the endpoint that was just rejected, so that the user can correct it, or ''. */
function take_rejected_endpoint(): string
{
    static $rejected = null;
    if ($rejected === null) {
        $rejected = (string) get_transient(get_rejected_endpoint_key());
        delete_transient(get_rejected_endpoint_key());
    }
    return $rejected;
}

/** @param array $field an entry of {@see get_attributes()}, with its name. */
function print_setting_field(array $field): void
{
    $name = $field['name'];
    $rejected = $name === 'endpoint' ? take_rejected_endpoint() : '';
    $value = $rejected === '' ? get_plugin_settings()[$name] : $rejected;
    $attributes = sprintf(
        'id="%1$s" name="%2$s[%1$s]" aria-describedby="%1$s-help"%3$s',
        esc_attr($name),
        esc_attr(OPTION),
        $rejected === '' ? '' : ' aria-invalid="true"'
    );
    if (isset($field['choices'])) {
        $unset = isset($field['default']) ? [] : ['' => __('Form default', 'donation-form')];
        $options = '';
        foreach ($unset + $field['choices'] as $choice => $label) {
            $is_selected = selected($value, (string) $choice, false);
            $options .= sprintf('<option value="%s"%s>%s</option>', esc_attr($choice), $is_selected, esc_html($label));
        }
        printf('<select %s>%s</select>', $attributes, $options);
    } else {
        printf('<input type="text" class="regular-text" %s value="%s">', $attributes, esc_attr($value));
    }
    printf('<p class="description" id="%s-help">%s</p>', esc_attr($name), esc_html($field['help']));
}

function print_settings_page(): void
{
    if (!current_user_can('manage_options')) {
        return;
    }
    $endpoint = normalize_endpoint(get_plugin_settings()['endpoint']);
    printf('<div class="wrap"><h1>%s</h1>', esc_html__('Donation form', 'donation-form'));
    if ($endpoint !== null && take_rejected_endpoint() === '') {
        [$type, $text] = check_endpoint($endpoint);
        printf('<div class="notice notice-%s inline"><p>%s</p></div>', esc_attr($type), esc_html($text));
    }
    echo '<form method="post" action="options.php">';
    settings_fields(PAGE);
    do_settings_sections(PAGE);
    submit_button();
    echo '</form></div>';
}
