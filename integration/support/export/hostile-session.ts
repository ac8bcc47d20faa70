import { renderEnvelope, toEnvelope } from '../../../src/conversation/export/envelope.ts';

/** What must stay text, whatever place it stands in. Each would set the marker, ask, or load something. */
export const ATTACKS = [
  '<script>window.pwned = 1; alert(1)</script>',
  '</script><script>window.pwned = 2</script>',
  '</style><script>window.pwned = 3</script><style>* { display: none !important }',
  '<img src=x onerror="window.pwned = 4">',
  '"><svg onload="window.pwned = 5"><a href="#">',
  "' onmouseover='window.pwned = 6' autofocus onfocus='window.pwned = 7' x='",
  '<iframe srcdoc="<script>parent.pwned = 8</script>"></iframe>',
  '[click](javascript:window.pwned=9) [data](data:text/html,<script>opener.pwned=10</script>) <javascript:window.pwned=11>',
  '![picture](https://attacker.example/pixel.png) ![x](data:image/svg+xml;base64,PHN2Zy8+) https://attacker.example/x',
  '<link rel=stylesheet href=https://attacker.example/x.css><style>@import "https://attacker.example/y.css"; body { background: url(https://attacker.example/z) }</style>',
  '<meta http-equiv=refresh content="0;url=https://attacker.example/"><base href=https://attacker.example/>',
  '<form action=https://attacker.example/><button id=theme autofocus>x</button></form>',
  '</pre></code></div></details></article></main><plaintext>',
  '<!-- <![CDATA[ ',
  '```\n</pre><script>window.pwned = 12</script>\n',
  '[ref]: javascript:window.pwned=13\n\n[ref]\n\n<details open ontoggle="window.pwned=14">',
  '| a |\n| --- |\n| <img src=x onerror=window.pwned=15> |',
  '\u202egnp.exe\u202c \u0007 \u001b[31mred\u001b[0m \u001b]0;title\u0007 \u0000 \u200b',
  '&lt;script&gt;window.pwned = 16&lt;/script&gt; &#60;script&#62; \\u003cscript\\u003e',
  '<a id=find name=body></a><input id=conversation name=documentElement>',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is one for templates of other people
  '$& $1 ${window.pwned = 17} {{constructor.constructor("window.pwned = 18")()}}',
] as const;

/** A session with every attack in every field that a person may be shown. */
export function hostileExport(sessionId: string): string {
  const messages = ATTACKS.flatMap((attack, at) => [
    { role: 'user', content: attack, timestamp: 1_795_000_000 + at },
    { role: 'user', content: attack, steered: true as const },
    { role: attack, content: attack },
    {
      role: 'assistant',
      model: attack,
      content: [
        { type: 'text', text: attack },
        { type: 'thinking', text: attack },
        { type: attack, text: attack, [attack]: attack },
        { type: 'image', media_type: attack, data: attack, name: attack, source: attack },
        { type: 'image', media_type: 'image/png', data: `"${attack}`, name: attack },
        { type: 'image', media_type: 'image/svg+xml', data: Buffer.from(attack).toString('base64') },
        {
          type: 'tool_use',
          id: `a-${at}-${attack}`,
          name: attack,
          input: { [attack]: attack, command: attack },
        },
        { type: 'tool_use', id: `b-${at}`, name: 'Bash', input: { command: attack } },
        {
          type: 'tool_use',
          id: `c-${at}`,
          name: 'Edit',
          input: { file_path: attack, old_string: `a\n${attack}`, new_string: attack },
        },
        { type: 'tool_use', id: `d-${at}`, name: 'Write', input: { file_path: attack, content: attack } },
        {
          type: 'tool_use',
          id: `e-${at}`,
          name: 'apply_patch',
          input: `*** Begin Patch\n*** Update File: ${attack}\n*** Move to: ${attack}\n@@ ${attack}\n-${attack}\n+${attack}\n*** End Patch`,
        },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: `a-${at}-${attack}`, content: attack, is_error: true },
        { type: 'tool_result', tool_use_id: `b-${at}`, content: [{ type: 'text', text: attack }] },
        { type: 'tool_result', tool_use_id: `c-${at}`, content: { [attack]: attack } },
      ],
    },
  ]);
  const all = ATTACKS.join(' ');
  const session = {
    session_id: sessionId,
    messages,
    system: all,
    parent_id: null,
    created_at: 1e300,
    updated_at: -1e300,
    metadata: { agent: all, title: all, model: all, branch: all, cwd: all },
  };
  // The types say what messages should be; the file of a stranger does not have to agree.
  return renderEnvelope(
    toEnvelope('claude-code', session as unknown as Parameters<typeof toEnvelope>[1], []),
  );
}
