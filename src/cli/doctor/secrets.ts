import { BridgeError } from '../../core/errors.ts'
import { createRedaction, redactedText } from '../../store/redaction.ts'
import type { Check } from './check.ts'
import type { DoctorContext } from './context.ts'

/** Shorter ones stand in words by chance; a daemon with such a token is on this machine only. */
const minLength = 6
/** Variables whose value is nobody else's business. */
const secretName = /TOKEN|SECRET|KEY|PASSW|CREDENTIAL|AUTH/i

/**
 * The same checks without a secret. No check puts one in; but some pass on what other programs and parsers say, and a
 * report is made to be shown to others.
 */
export function withoutSecrets(checks: readonly Check[], context: DoctorContext): Check[] {
  const redact = createRedaction()
  const { token, forward, config, env } = context
  const configured = config instanceof BridgeError ? undefined : config.token
  const known = [token, forward?.token, configured, ...secretsIn(env)]
  return checks.map((check) => {
    const hide = (text: string) => hideAll(text, known)
    const { finding, remedy } = check
    const plain = { ...check, finding: hide(finding), ...(remedy !== undefined && { remedy: hide(remedy) }) }
    const clean: Check = JSON.parse(redact(JSON.stringify(plain)))
    return clean
  })
}

/** The values of variables that are named like secrets. */
export function secretsIn(env: Readonly<Record<string, string | undefined>>): (string | undefined)[] {
  return Object.entries(env).flatMap(([name, value]) => (secretName.test(name) ? [value] : []))
}

/** A text in which none of these values can be read. */
export function hideAll(text: string, secrets: readonly (string | undefined)[]): string {
  return secrets
    .filter((secret) => secret !== undefined && secret.length >= minLength)
    .reduce<string>((hidden, secret) => hidden.replaceAll(secret ?? '', redactedText), text)
}
