import { useEffect, useRef } from 'preact/hooks'
import { isHelpOpen } from '../state/view-state.ts'
import { keyHelp } from './keys.ts'

/** Every key, in a dialog. */
export function HelpDialog() {
  const dialog = useRef<HTMLDialogElement>(null)
  const isOpen = isHelpOpen.value
  useEffect(() => {
    const { current } = dialog
    if (isOpen && current?.open === false) current.showModal()
    if (!isOpen && current?.open === true) current.close()
  }, [isOpen])
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={() => (isHelpOpen.value = false)}>
      <h2 id="help-title">Keys</h2>
      <dl>
        {keyHelp.map(([keys, words]) => (
          <div key={words}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit" class="button">
          Close
        </button>
      </form>
    </dialog>
  )
}
