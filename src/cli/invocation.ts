/** How the user calls this command: from a clone through npm, else by its name. */
export function commandLine(
  args: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const script = env['npm_lifecycle_event']
  return script === 'start' || script === 'bridge' ? `npm run -s bridge -- ${args}` : `bridge ${args}`
}
