import { render } from 'preact'
import './tokens.css'
import './styles/base.css'
import './styles/controls.css'
import './styles/desk.css'
import './styles/roster.css'
import './styles/timeline.css'
import './styles/details.css'
import './styles/phone.css'
import { signInFromAddress } from './state/sign-in.ts'
import { followTheme } from './state/theme.ts'
import { App } from './view/app.tsx'

followTheme()
// A link opened in this very tab changes only the part behind the `#`.
addEventListener('hashchange', () => void signInFromAddress())
void signInFromAddress()

const root = document.getElementById('app')
if (root) render(<App />, root)
