/** How our commands end; a cut by Ctrl-C is a failure too. */
export const ended = { well: 0, failed: 1, misused: 2 } as const
