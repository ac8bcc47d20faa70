/* Kept aside: whoever writes rules does not open this file. */

import { type Kind, namedKey, vendorKey } from '../kind.ts';

/** Keys of model providers. Shapes as the vendors document them, or as gitleaks (https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml)
 * and GitHub (https://docs.github.com/en/code-security/reference/secret-security/supported-secret-scanning-patterns) list them. */
export const MODELS: readonly Kind[] = [
  vendorKey('anthropic oauth and admin', 'CLAUDE_CODE_OAUTH_TOKEN', 'sk-ant-«antkind»-«b86»AA'),
  vendorKey('openai project', 'OPENAI_API_KEY', 'sk-proj-«b74»T3BlbkFJ«b74»', [
    'Incorrect API key provided: [[%]]. You can find your API key at https://platform.openai.com.',
  ]),
  vendorKey('openai legacy', 'OPENAI_API_KEY', 'sk-«A20»T3BlbkFJ«A20»', ["openai.api_key = '[[%]]'"]),
  vendorKey('hugging face', ['HF_TOKEN', 'HUGGING_FACE_HUB_TOKEN'], 'hf_«L34»', [
    'huggingface-cli login --token [[%]]',
  ]),
  namedKey('azure openai', 'AZURE_OPENAI_API_KEY', '«h32»', [
    '-H "api-key: [[%]]"',
    'AzureOpenAI(api_key="[[%]]", api_version="2024-10-21")',
  ]),
  vendorKey('firecrawl', 'FIRECRAWL_API_KEY', 'fc-«h32»'),
  vendorKey('jina', 'JINA_API_KEY', 'jina_«h32»«b28»'),
];
