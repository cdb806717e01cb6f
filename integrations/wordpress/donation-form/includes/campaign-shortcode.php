<?php
/** [raise-donors campaignid="101" display="form"], the shortcode of another vendor's plugin. */

namespace DonationForm;

defined('ABSPATH') || exit;

// Runs after other plugins, so that the other plugin's pages stay as they are while it is active.
add_action('init', static function (): void {
    if (!shortcode_exists('raise-donors')) {
        add_shortcode('raise-donors', __NAMESPACE__ . '\\render_campaign');
    }
}, 20);

/** @param array|string $attributes */
function render_campaign($attributes): string
{
    $attributes = (array) $attributes;
    $campaign = trim((string) ($attributes['campaignid'] ?? ''));
    $form = get_campaign_forms()[$campaign] ?? '';
    $notes = [];
    if ($form === '') {
        $notes[] = sprintf(
            /* translators: %s: ID of a campaign */
            __('This is the site’s default form, because Settings › Donation form specifies no form for campaign “%s”.', 'donation-form'),
            $campaign
        );
    }
    if (($attributes['display'] ?? '') === 'full') {
        $notes[] = __('The text of the campaign’s page is not part of the form. Add it to this page.', 'donation-form');
    }
    return render_form(['form-id' => $form]) . implode('', array_map(__NAMESPACE__ . '\\render_author_note', $notes));
}

/**
 * Reads the setting: 101=winter, 102=river.
 *
 * @return string[] IDs of forms, by the ID of the campaign.
 */
function get_campaign_forms(): array
{
    $forms = [];
    foreach (explode(',', get_plugin_settings()['campaign-forms']) as $pair) {
        [$campaign, $form] = array_map('trim', explode('=', $pair, 2)) + ['', ''];
        $forms[$campaign] = $form;
    }
    return $forms;
}
