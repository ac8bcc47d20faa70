import { type Kind, namedKey, vendorKey } from '../kind.ts';

/** Keys of model providers. Shapes as the vendors document them, or as gitleaks (https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml)
 * and GitHub (https://docs.github.com/en/code-security/reference/secret-security/supported-secret-scanning-patterns) list them. */
export const MODELS: readonly Kind[] = [
  vendorKey('anthropic', 'ANTHROPIC_API_KEY', 'sk-ant-api03-«b93»AA', ['x-api-key: [[%]]']),
  vendorKey('openrouter', 'OPENROUTER_API_KEY', 'sk-or-v1-«h64»'),
  vendorKey('langfuse', 'LANGFUSE_SECRET_KEY', 'sk-lf-«uuid»'),
  vendorKey('elevenlabs', ['ELEVENLABS_API_KEY', 'XI_API_KEY'], 'sk_«h48»', [
    'xi-api-key: [[%]]',
    "new ElevenLabsClient({ apiKey: '[[%]]' })",
  ]),
  vendorKey('fireworks', 'FIREWORKS_API_KEY', 'fw_«A24»', [
    'base_url=https://api.fireworks.ai/inference/v1 api_key=[[%]]',
  ]),
  namedKey('cohere', ['COHERE_API_KEY', 'CO_API_KEY'], '«A40»', ["co = cohere.Client(api_key='[[%]]')"]),
  vendorKey('voyage', 'VOYAGE_API_KEY', 'pa-«b43»'),
  vendorKey('nvidia nim', ['NVIDIA_API_KEY', 'NGC_API_KEY'], 'nvapi-«b64»'),
];
