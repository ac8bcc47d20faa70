/* Kept aside: whoever writes rules does not open this file. */

import { type Kind, kind, namedKey, vendorKey } from '../kind.ts';

/** Keys of messengers and mailers. Shapes as the vendors document them, or as gitleaks (https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml)
 * and GitHub (https://docs.github.com/en/code-security/reference/secret-security/supported-secret-scanning-patterns) list them. */
export const TALK: readonly Kind[] = [
  vendorKey('slack bot token', 'SLACK_BOT_TOKEN', 'xoxb-«d12»-«d13»-«A24»', ["app = App(token='[[%]]')"]),
  kind('slack webhook', 'vendor key', [
    'curl -X POST -d \'{"text":"deployed"}\' https://hooks.slack.com/services/T«u8»/B«u10»/[[«A24»]]',
    'SLACK_WEBHOOK_URL=https://hooks.slack.com/services/T«u8»/B«u10»/[[«A24»]]',
    'webhook: "https://hooks.slack.com/services/T«u10»/B«u10»/[[«A24»]]"',
  ]),
  kind('telegram bot token', 'vendor key', [
    'https://api.telegram.org/bot«d10»:[[AA«b33»]]/getMe',
    "bot = telebot.TeleBot('«d10»:[[AA«b33»]]')",
    'TELEGRAM_BOT_TOKEN=«d10»:[[AA«b33»]]',
    '«say» «d10»:[[AA«b33»]]',
  ]),
  vendorKey('twilio api key', 'TWILIO_API_KEY', 'SK«h32»'),
  vendorKey('sendgrid', 'SENDGRID_API_KEY', 'SG.«b22».«b43»', ["sgMail.setApiKey('[[%]]')"]),
  vendorKey('mailchimp', 'MAILCHIMP_API_KEY', '«h32»-us1«d1»'),
  namedKey('postmark', ['POSTMARK_SERVER_TOKEN', 'POSTMARK_API_TOKEN'], '«uuid»', [
    'X-Postmark-Server-Token: [[%]]',
  ]),
];
