/** What is wrong with a master token, if anything; the token itself is in no message. */
export function tokenProblem(token: string): string | undefined {
  if (token === '') return 'is empty; set a secret, or remove it'
  if (/^[\x21-\x7e]+$/.test(token)) return undefined
  return 'holds a blank, a control or a non-ASCII character, which no HTTP header carries'
}
