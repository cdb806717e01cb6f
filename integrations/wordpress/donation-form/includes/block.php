<?php
/** The block "Donation form". */

namespace DonationForm;

defined('ABSPATH') || exit;

const EDITOR_SCRIPT = 'donation-form-editor';
const EDITOR_SCRIPT_DEPENDENCIES = ['wp-block-editor', 'wp-blocks', 'wp-components', 'wp-element', 'wp-i18n'];

add_action('init', static function (): void {
    $url = plugins_url('block/editor.js', FOLDER . '/donation-form.php');
    wp_register_script(EDITOR_SCRIPT, $url, EDITOR_SCRIPT_DEPENDENCIES, VERSION, true);
    wp_set_script_translations(EDITOR_SCRIPT, 'donation-form', FOLDER . '/languages');
    register_block_type(FOLDER . '/block', ['render_callback' => __NAMESPACE__ . '\\render_block']);
});

function render_block(array $attributes): string
{
    $own_values = [];
    foreach (get_attribute_names() as $name) {
        $own_values[$name] = $attributes[to_block_name($name)] ?? '';
    }
    return render_form($own_values, '', get_block_wrapper_attributes());
}

add_action('enqueue_block_editor_assets', static function (): void {
    $data = wp_json_encode(get_editor_data(), JSON_HEX_TAG);
    wp_add_inline_script(EDITOR_SCRIPT, "window.donationFormSite = $data;", 'before');
});

/** Returns the data about this site that the editor script needs. */
function get_editor_data(): array
{
    $settings = get_plugin_settings();
    $fields = [];
    foreach (get_attributes() as $name => $attribute) {
        $choices = [];
        foreach ($attribute['choices'] ?? [] as $value => $label) {
            $choices[] = ['value' => (string) $value, 'label' => $label];
        }
        $fields[] = [
            'name' => $name,
            'attribute' => to_block_name($name),
            'group' => $attribute['group'],
            'label' => $attribute['label'],
            'help' => $attribute['help'],
            'choices' => $choices,
            'inherited' => $settings[$name],
        ];
    }
    $settings_page = admin_url('options-general.php?page=donation-form');
    return [
        'endpoint' => (string) normalize_endpoint($settings['endpoint']),
        'fields' => $fields,
        'groups' => get_attribute_groups(),
        'language' => get_bloginfo('language'),
        'settingsPage' => current_user_can('manage_options') ? $settings_page : '',
    ];
}
