import patterns from './redaction-patterns.json' with { type: 'json' }

/** Takes the secrets out of a frame's JSON text; the result is valid JSON of the same shape. */
export type Redact = (json: string) => string

/** What stands in place of a secret. */
export const redactedText = '[redacted]'

/**
 * Redaction with the patterns of `redaction-patterns.json`. A pattern sees JSON text, must not match across a
 * quote or split an escape, and must match only the secret itself (what comes before it belongs into a
 * look-behind).
 */
export function createRedaction(): Redact {
  const secrets = new RegExp(patterns.map((entry) => `(?:${entry.pattern})`).join('|'), 'g')
  return (json) => {
    if (!mayHoldSecret.test(json)) return json
    return json.replaceAll(secrets, redactedText)
  }
}

/**
 * A cheap test that rules most frames out: every pattern needs one of these. Look-behinds are slow to try at each
 * position, and most frames hold no secret at all.
 */
const mayHoldSecret =
  /PRIVATE KEY|sk-|gh[pousr]_|github_pat_|glpat-|AKIA|ASIA|AIza|xox[abeoprs]-|[sr]k_(?:live|test)_|npm_|hf_|brt_|eyJ|:\/\/[^\s"]{1,300}@|uthorization|API_KEY|SECRET|TOKEN|PASSW|api_key|secret|token|passw/
