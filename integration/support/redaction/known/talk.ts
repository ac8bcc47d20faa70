import { type Kind, kind, namedKey, vendorKey } from '../kind.ts';

/** Keys of messengers and mailers. Shapes as the vendors document them, or as gitleaks (https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml)
 * and GitHub (https://docs.github.com/en/code-security/reference/secret-security/supported-secret-scanning-patterns) list them. */
export const TALK: readonly Kind[] = [
  vendorKey('discord bot token', ['DISCORD_TOKEN', 'DISCORD_BOT_TOKEN'], '«discord»', [
    "client.login('[[%]]');",
    'Authorization: Bot [[%]]',
    'bot.run("[[%]]")',
  ]),
  kind('discord webhook', 'vendor key', [
    'https://discord.com/api/webhooks/«d18»/[[«b68»]]',
    'DISCORD_WEBHOOK=https://discordapp.com/api/webhooks/«d19»/[[«b68»]]',
    'curl -H "Content-Type: application/json" -d @msg.json https://discord.com/api/webhooks/«d18»/[[«b68»]]?wait=true',
  ]),
  namedKey('twilio auth token', 'TWILIO_AUTH_TOKEN', '«h32»', [
    "client = Client('AC' + sid, auth_token='[[%]]')",
    'curl -u AC«h32»:[[%]] https://api.twilio.com/2010-04-01/Accounts.json',
  ]),
  vendorKey('mailgun', 'MAILGUN_API_KEY', 'key-«h32»', [
    "curl --user 'api:[[%]]' https://api.mailgun.net/v3/domains",
  ]),
  vendorKey('resend', 'RESEND_API_KEY', 're_«A8»_«A24»', ["const resend = new Resend('[[%]]');"]),
  vendorKey('twitter bearer', 'TWITTER_BEARER_TOKEN', 'AAAAAAAAAAAAAAAAAAAAA«A60»%3D«A50»'),
];
