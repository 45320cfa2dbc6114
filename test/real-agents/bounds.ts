/** Bound of one step. The model answers in a fraction of a second; a loaded machine still stays far below. */
export const STEP_BOUND_MS = 30_000

/** Bound for what an agent has sent to arrive: loopback and a process start. */
export const ARRIVAL_BOUND_MS = 10_000
