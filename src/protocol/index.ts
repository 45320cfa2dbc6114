/** Every shape that crosses a wire, and the declarations of all operations. Runs in a browser. */
export * from './agent-event.ts'
export * from './contact.ts'
export * from './frames.ts'
export * from './operations.ts'
export * from './routes.ts'
export * from './scopes.ts'
