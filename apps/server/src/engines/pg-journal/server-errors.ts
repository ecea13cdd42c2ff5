/** What an error of PostgreSQL says about a batch that was sent. */

/** What pg tells about an error of the server; errors of the connection have no severity. */
export interface ServerError {
  code?: string
  severity?: string
}
/** The server answered and goes on: so the batch was rolled back. Anything else leaves it open. */
export const isRefusal = (error: ServerError) => error.severity === 'ERROR'
export const noPartition = '23514'
/** Bad data, limits of a statement: some row is to blame. */
export const blamesRow = (state: string) => state.startsWith('22') || state.startsWith('54')
/** Passing: out of something, locks, serialisation, cancelled by the time limit, read-only for now. */
export const isPassing = (state: string) => ['53', '55', '40', '57', '25', '58'].includes(state.slice(0, 2))
