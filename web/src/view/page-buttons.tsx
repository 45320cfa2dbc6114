import { signOut } from '../state/sign-in.ts'
import { switchTheme, theme, type Theme } from '../state/theme.ts'
import { isHelpOpen } from '../state/view-state.ts'
import { Icon, type IconName } from './icon.tsx'

const themeIcons: Readonly<Record<Theme, IconName>> = { system: 'screen', light: 'sun', dark: 'moon' }

/** What belongs to the page and not to any agent. */
export function PageButtons() {
  return (
    <footer class="page-buttons">
      <button type="button" class="quiet-button" onClick={switchTheme}>
        <Icon name={themeIcons[theme.value]} />
        <span class="hidden">Theme: </span>
        {theme.value}
      </button>
      <button type="button" class="quiet-button" onClick={() => (isHelpOpen.value = true)}>
        Keys <kbd>?</kbd>
      </button>
      <button type="button" class="quiet-button" onClick={() => signOut()}>
        Sign out
      </button>
    </footer>
  )
}
