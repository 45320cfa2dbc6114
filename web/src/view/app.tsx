import { token } from '../state/sign-in.ts'
import { Desk } from './desk.tsx'
import { SignIn } from './sign-in.tsx'

/** The page: the desk of a bridge, or the way in. */
export function App() {
  const secret = token.value
  return secret === undefined ? <SignIn /> : <Desk key={secret} secret={secret} />
}
