/** A server of its own that takes a job and never ends it; tests kill it. Arguments: database address, kind. */
import { openJobsServer } from './jobs-server.ts'

const [url = '', kind = ''] = process.argv.slice(2)
await openJobsServer(
  url,
  [
    {
      kind,
      run: async ({ progress }) => {
        await progress(1, 3)
        process.stdout.write('running\n')
        return new Promise(() => {})
      },
    },
  ],
  { now: () => Date.now() },
)
