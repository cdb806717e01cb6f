<?php
/** The block "Donation form". */

namespace DonationForm;

defined('ABSPATH') || exit;

const EDITOR_SCRIPT = 'donation-form-editor';

add_action('init', static function (): void {
    wp_register_script(EDITOR_SCRIPT, plugins_url('block/editor.js', FOLDER . '/donation-form.php'), ['wp-block-editor', 'wp-blocks', 'wp-components', 'wp-element', 'wp-i18n'], VERSION, true);
    wp_set_script_translations(EDITOR_SCRIPT, 'donation-form', FOLDER . '/languages');
    register_block_type(FOLDER . '/block', ['render_callback' => __NAMESPACE__ . '\\render_block']);
});

function render_block(array $attributes): string
{
    $own = [];
    foreach (attribute_names() as $name) {
        $own[$name] = $attributes[block_name($name)] ?? '';
    }
    return form($own, '', get_block_wrapper_attributes());
}

add_action('enqueue_block_editor_assets', static function (): void {
    wp_add_inline_script(EDITOR_SCRIPT, 'window.donationFormSite = ' . wp_json_encode(for_editor(), JSON_HEX_TAG) . ';', 'before');
});

/** What the editor has to know of the site. */
function for_editor(): array
{
    $settings = settings();
    $fields = [];
    foreach (attributes() as $name => $attribute) {
        $choices = [];
        foreach ($attribute['choices'] ?? [] as $value => $label) {
            $choices[] = ['value' => (string) $value, 'label' => $label];
        }
        $fields[] = [
            'name' => $name,
            'attribute' => block_name($name),
            'group' => $attribute['group'],
            'label' => $attribute['label'],
            'help' => $attribute['help'],
            'choices' => $choices,
            'inherited' => $settings[$name],
        ];
    }
    return [
        'endpoint' => (string) endpoint_address($settings['endpoint']),
        'fields' => $fields,
        'groups' => groups(),
        'language' => get_bloginfo('language'),
        'settingsPage' => current_user_can('manage_options') ? admin_url('options-general.php?page=donation-form') : '',
    ];
}
