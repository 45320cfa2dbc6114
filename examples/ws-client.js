// The smallest client of the bridge in a browser: it opens the WebSocket with a token and shows every frame.
// The script stands in a file of its own because the bridge's pages may not hold any (Content-Security-Policy).

/** Characters that would hide or reorder what stands around them are shown as JSON may write them. */
const invisible = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g

/** More frames than this are of no use to anybody's eyes. */
const maxShown = 500

const urlField = input('url')
const tokenField = input('token')
const frameField = input('frame')
const toggle = element('toggle')
const status = element('status')
const frames = element('frames')

/** @type {WebSocket | undefined} */
let socket

urlField.value = location.protocol.startsWith('http') ? location.origin : 'http://127.0.0.1:8787'

element('connect').addEventListener('submit', (event) => {
  event.preventDefault()
  if (socket) socket.close()
  else connect()
})

element('send').addEventListener('submit', (event) => {
  event.preventDefault()
  if (socket?.readyState === WebSocket.OPEN) socket.send(frameField.value)
  else tell('not connected')
})

function connect() {
  const url = new URL('/ws', urlField.value)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  url.searchParams.set('token', tokenField.value.trim())
  const opened = new WebSocket(url)
  socket = opened
  toggle.textContent = 'Disconnect'
  tell('connecting')
  opened.addEventListener('open', () => tell('connected'))
  opened.addEventListener('message', (event) => show(String(event.data)))
  opened.addEventListener('close', (event) => {
    socket = undefined
    toggle.textContent = 'Connect'
    tell(event.code === 4401 ? 'closed with 4401: the token is not known' : `closed with ${event.code}`)
  })
}

/** @param {string} frame */
function show(frame) {
  const line = document.createElement('li')
  // Text, never markup: a frame carries what agents and strangers wrote.
  line.textContent = frame.replace(
    invisible,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  frames.prepend(line)
  while (frames.childElementCount > maxShown) frames.lastElementChild?.remove()
}

/** @param {string} words */
function tell(words) {
  status.textContent = words
}

/** @param {string} id */
function element(id) {
  const found = document.getElementById(id)
  if (!found) throw new Error(`the page has no #${id}`)
  return found
}

/** @param {string} id */
function input(id) {
  const found = element(id)
  if (!(found instanceof HTMLInputElement)) throw new Error(`#${id} is no field`)
  return found
}
