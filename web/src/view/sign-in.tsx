import { useState } from 'preact/hooks'
import { isSigningIn, signIn, signInProblem } from '../state/sign-in.ts'

/** How to get in: by the link a command prints, or by a token. */
export function SignIn() {
  const [secret, setSecret] = useState('')
  if (isSigningIn.value) return <main class="sign-in" aria-busy="true" />
  return (
    <main class="sign-in">
      <h1>Agent Bridge</h1>
      {signInProblem.value !== undefined && <p role="alert">{signInProblem.value}</p>}
      <p>
        Run <code>bridge status --link</code> and open the link it prints.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (secret.trim() !== '') signIn(secret.trim())
        }}
      >
        <label for="token">Or paste a token</label>
        <div class="field">
          <input
            id="token"
            type="password"
            autocomplete="off"
            value={secret}
            onInput={(event) => setSecret(event.currentTarget.value)}
          />
          <button type="submit" class="button">
            Open
          </button>
        </div>
      </form>
    </main>
  )
}
