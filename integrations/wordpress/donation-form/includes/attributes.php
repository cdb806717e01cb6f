<?php
/** The attributes of <donation-form> that the author of a page sets, and what they are called here. */

namespace DonationForm;

defined('ABSPATH') || exit;

/** What attributes are grouped by, and the headings. */
function groups(): array
{
    return [
        'form' => __('The form', 'donation-form'),
        'gift' => __('The gift', 'donation-form'),
        'purpose' => __('What it is for', 'donation-form'),
        'links' => __('Campaign links', 'donation-form'),
    ];
}

/** By attribute: its group, its label, what helps to fill it in, its choices by value where it has any, and which of them is so without it. */
function attributes(): array
{
    return [
        'endpoint' => [
            'group' => 'form',
            'label' => __('Endpoint', 'donation-form'),
            'help' => __('The address of your donation endpoint, such as https://give.example.org.', 'donation-form'),
        ],
        'form-id' => [
            'group' => 'form',
            'label' => __('Form', 'donation-form'),
            'help' => __('Which of the endpoint’s forms, by its id; the first one where empty.', 'donation-form'),
        ],
        'language' => [
            'group' => 'form',
            'label' => __('Language', 'donation-form'),
            'help' => __('Such as de or pt-BR; the page’s language where empty.', 'donation-form'),
        ],
        'thanks-url' => [
            'group' => 'form',
            'label' => __('Thank-you page', 'donation-form'),
            'help' => __('Where the form goes after a gift, such as /thanks; it thanks by itself where empty.', 'donation-form'),
        ],
        'amount' => [
            'group' => 'gift',
            'label' => __('Amount', 'donation-form'),
            'help' => __('The amount that is chosen beforehand, such as 50 or 12.50.', 'donation-form'),
        ],
        'amounts' => [
            'group' => 'gift',
            'label' => __('Suggested amounts', 'donation-form'),
            'help' => __('With commas between them: 25,50,100.', 'donation-form'),
        ],
        'frequency' => [
            'group' => 'gift',
            'label' => __('How often', 'donation-form'),
            'help' => __('The frequency that is chosen beforehand, where the form offers it.', 'donation-form'),
            'choices' => [
                'once' => __('Once', 'donation-form'),
                'weekly' => __('Every week', 'donation-form'),
                'everyOtherWeek' => __('Every other week', 'donation-form'),
                'monthly' => __('Every month', 'donation-form'),
                'quarterly' => __('Every three months', 'donation-form'),
                'biannual' => __('Every six months', 'donation-form'),
                'annually' => __('Every year', 'donation-form'),
            ],
        ],
        'currency' => [
            'group' => 'gift',
            'label' => __('Currency', 'donation-form'),
            'help' => __('Its three letters, such as USD.', 'donation-form'),
        ],
        'cover-costs' => [
            'group' => 'gift',
            'label' => __('Donors add the costs of the payment', 'donation-form'),
            'help' => __('They can change it in any case.', 'donation-form'),
            'choices' => [
                'true' => __('Ticked beforehand', 'donation-form'),
                'false' => __('Not ticked beforehand', 'donation-form'),
            ],
        ],
        'segment' => [
            'group' => 'purpose',
            'label' => __('Segment', 'donation-form'),
            'help' => __('The code that gifts are counted to.', 'donation-form'),
        ],
        'project' => [
            'group' => 'purpose',
            'label' => __('Project', 'donation-form'),
            'help' => __('The code of the project that gifts are for; donors do not choose.', 'donation-form'),
        ],
        'project-preselect' => [
            'group' => 'purpose',
            'label' => __('Project chosen beforehand', 'donation-form'),
            'help' => __('The code of a project; donors may choose another.', 'donation-form'),
        ],
        'url-params' => [
            'group' => 'links',
            'label' => __('The page’s address sets the form', 'donation-form'),
            'help' => __('So that a link such as ?amount=75 opens the form with its values.', 'donation-form'),
            'choices' => [
                'on' => __('Yes', 'donation-form'),
                'off' => __('No', 'donation-form'),
            ],
            'usual' => 'on',
        ],
        'ignore-params' => [
            'group' => 'links',
            'label' => __('Names that are not for the form', 'donation-form'),
            'help' => __('Parameters of the address that something else on this site uses, with commas between them: src, comment.', 'donation-form'),
        ],
        'keep-address' => [
            'group' => 'links',
            'label' => __('Names, e-mail, phone and street stay in the address', 'donation-form'),
            'help' => __('The form takes them out of the address when it has read them.', 'donation-form'),
            'choices' => [
                'true' => __('Yes', 'donation-form'),
                'false' => __('No', 'donation-form'),
            ],
            'usual' => 'false',
        ],
    ];
}

function attribute_names(): array
{
    return array_keys(attributes());
}

/** What the block calls an attribute: formId for form-id. */
function block_name(string $attribute): string
{
    return lcfirst(str_replace('-', '', ucwords($attribute, '-')));
}

/**
 * Attributes as they stand in a tag.
 *
 * @param array $values by attribute, '' where there is none.
 */
function written(array $values): string
{
    $written = '';
    foreach ($values as $name => $value) {
        // Elsewhere than in a tag there is a word for what is so without the attribute, whose presence alone says something.
        if ($name === 'keep-address') {
            $written .= $value === '' || $value === 'false' ? '' : ' keep-address';
        } elseif ($value !== '' && !($name === 'url-params' && $value === 'on')) {
            // WordPress looks for shortcodes inside attributes, too.
            $written .= sprintf(' %s="%s"', $name, str_replace(['[', ']'], ['&#091;', '&#093;'], esc_attr($value)));
        }
    }
    return $written;
}
