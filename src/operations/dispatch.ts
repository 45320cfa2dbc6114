import type { z } from 'zod'
import type { Identity } from '../access/identity.ts'
import { BridgeError } from '../core/errors.ts'
import { operations, type OperationName, type OperationParams } from '../protocol/index.ts'
import type { OperationHandlers } from './handlers.ts'

/** Runs operations by name for every derived surface: one place that checks scope and input. */
export interface Dispatch {
  /**
   * @throws BridgeError `unauthorized`, `forbidden`, `invalid_params`, `unknown_method`, and what the handler throws
   */
  call(name: string, input: unknown, caller: Identity | undefined): Promise<unknown>
}

export function createDispatch(handlers: OperationHandlers): Dispatch {
  return {
    call: async (name, input, caller) => {
      if (!isOperationName(name)) throw new BridgeError('unknown_method', { method: name })
      const declaration = operations[name]
      if (declaration.scope !== null) {
        if (!caller) throw new BridgeError('unauthorized')
        if (!caller.scopes.has(declaration.scope))
          throw new BridgeError('forbidden', { scope: declaration.scope })
      }
      return run(handlers, name, input, caller)
    },
  }
}

function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(operations, name)
}

/** The table's schemas with the type each of them reads, so that a name, its input and its handler stay together. */
const inputs: { readonly [N in OperationName]: { readonly input: z.ZodType<OperationParams<N>> } } =
  operations

function run<N extends OperationName>(
  handlers: OperationHandlers,
  name: N,
  input: unknown,
  caller: Identity | undefined,
) {
  return handlers[name](parseInput(inputs[name].input, input), caller)
}

/**
 * Reads input by its schema.
 *
 * @throws BridgeError `invalid_params` naming the field and what is wrong with it
 */
function parseInput<O>(schema: z.ZodType<O>, input: unknown): O {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const field = issue?.code === 'unrecognized_keys' ? issue.keys.join(', ') : (issue?.path.join('.') ?? '')
  const problem = issue?.code === 'unrecognized_keys' ? 'no such field' : (issue?.message ?? 'is not valid')
  throw new BridgeError('invalid_params', { field: field === '' ? 'body' : field, problem })
}
