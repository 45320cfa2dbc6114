import { text } from 'node:stream/consumers'

// A command hook: hands the hook on standard input to the address in the first argument.
await fetch(process.argv[2] ?? '', { method: 'POST', body: await text(process.stdin) })
