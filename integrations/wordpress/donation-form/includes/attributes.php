<?php
/** The attributes of <donation-form> that authors can set, with their labels. */

namespace DonationForm;

defined('ABSPATH') || exit;

/** @return string[] headings of the groups of attributes, by group. */
function get_attribute_groups(): array
{
    return [
        'form' => __('Form', 'donation-form'),
        'gift' => __('Amount and frequency', 'donation-form'),
        'purpose' => __('Purpose', 'donation-form'),
        'links' => __('Campaign links', 'donation-form'),
    ];
}

/**
 * @return array[] by attribute: group, label, and help text; for some attributes also their choices
 *                 (labels by value) and the default choice.
 */
function get_attributes(): array
{
    return [
        'endpoint' => [
            'group' => 'form',
            'label' => __('Donation server', 'donation-form'),
            'help' => __('URL of your donation server, such as https://give.example.org.', 'donation-form'),
        ],
        'form-id' => [
            'group' => 'form',
            'label' => __('Form ID', 'donation-form'),
            'help' => __('ID of a form on the server. If empty, the first form appears.', 'donation-form'),
        ],
        'language' => [
            'group' => 'form',
            'label' => __('Language', 'donation-form'),
            'help' => __('Language code, such as de or pt-BR. If empty, the form uses the page’s language.', 'donation-form'),
        ],
        'success-url' => [
            'group' => 'form',
            'label' => __('Thank-you page', 'donation-form'),
            'help' => __('URL of the page that opens after a donation, such as /thanks. If this field is empty, or if the donor promised a transfer or check, the form shows its own thank-you screen.', 'donation-form'),
        ],
        'amount' => [
            'group' => 'gift',
            'label' => __('Amount', 'donation-form'),
            'help' => __('Preselected amount, such as 50 or 12.50.', 'donation-form'),
        ],
        'amounts' => [
            'group' => 'gift',
            'label' => __('Suggested amounts', 'donation-form'),
            'help' => __('Amounts separated by commas, such as 25,50,100.', 'donation-form'),
        ],
        'frequency' => [
            'group' => 'gift',
            'label' => __('Frequency', 'donation-form'),
            'help' => __('Preselected frequency, if the form offers it.', 'donation-form'),
            'choices' => [
                'once' => __('One-time', 'donation-form'),
                'weekly' => __('Weekly', 'donation-form'),
                'everyOtherWeek' => __('Every 2 weeks', 'donation-form'),
                'monthly' => __('Monthly', 'donation-form'),
                'quarterly' => __('Quarterly', 'donation-form'),
                'biannual' => __('Every 6 months', 'donation-form'),
                'annually' => __('Yearly', 'donation-form'),
            ],
        ],
        'currency' => [
            'group' => 'gift',
            'label' => __('Currency', 'donation-form'),
            'help' => __('Three-letter code, such as USD.', 'donation-form'),
        ],
        'cover-costs' => [
            'group' => 'gift',
            'label' => __('Cover transaction fees', 'donation-form'),
            'help' => __('Donors can always change this.', 'donation-form'),
            'choices' => [
                'true' => __('Selected by default', 'donation-form'),
                'false' => __('Not selected by default', 'donation-form'),
            ],
        ],
        'segment' => [
            'group' => 'purpose',
            'label' => __('Segment', 'donation-form'),
            'help' => __('Code that identifies the mailing or campaign in your fundraising platform.', 'donation-form'),
        ],
        'project' => [
            'group' => 'purpose',
            'label' => __('Project', 'donation-form'),
            'help' => __('Project code. Donors cannot choose another project.', 'donation-form'),
        ],
        'project-preselect' => [
            'group' => 'purpose',
            'label' => __('Preselected project', 'donation-form'),
            'help' => __('Project code. Donors can choose another project.', 'donation-form'),
        ],
        'url-params' => [
            'group' => 'links',
            'label' => __('Read settings from the URL', 'donation-form'),
            'help' => __('Lets links such as ?amount=75 fill in the form.', 'donation-form'),
            'choices' => [
                'on' => __('Yes', 'donation-form'),
                'off' => __('No', 'donation-form'),
            ],
            'default' => 'on',
        ],
        'ignore-params' => [
            'group' => 'links',
            'label' => __('URL parameters to ignore', 'donation-form'),
            'help' => __('Comma-separated parameters that other parts of this site use, such as src,comment.', 'donation-form'),
        ],
        'keep-url-params' => [
            'group' => 'links',
            'label' => __('Keep personal data in the URL', 'donation-form'),
            'help' => __('By default, the form removes names, emails, phone numbers, and street addresses from the URL after reading them.', 'donation-form'),
            'choices' => [
                'true' => __('Yes', 'donation-form'),
                'false' => __('No', 'donation-form'),
            ],
            'default' => 'false',
        ],
    ];
}

/** @return string[] */
function get_attribute_names(): array
{
    return array_keys(get_attributes());
}

/** Converts the name of an attribute to the block's name for it: form-id to formId. */
function to_block_name(string $attribute): string
{
    return lcfirst(str_replace('-', '', ucwords($attribute, '-')));
}

/**
 * Renders attributes for a tag.
 *
 * @param array $values by attribute; '' if there is none.
 */
function render_attributes(array $values): string
{
    $html = '';
    foreach ($values as $name => $value) {
        if ($name === 'keep-url-params') {
            // A boolean attribute: its presence means true.
            $html .= $value === '' || $value === 'false' ? '' : ' keep-url-params';
        } elseif ($value !== '' && !($name === 'url-params' && $value === 'on')) {
            // WordPress expands shortcodes in attributes, too.
            $escaped = str_replace(['[', ']'], ['&#091;', '&#093;'], esc_attr($value));
            $html .= sprintf(' %s="%s"', $name, $escaped);
        }
    }
    return $html;
}
