import yargs from 'yargs';
export async function main(argv: readonly string[]): Promise<void> {
  await yargs([...argv]).parseAsync();
}
