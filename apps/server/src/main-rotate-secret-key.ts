import { readConfig } from '#app/config.ts'
import { stopSignals } from '#app/stop-signals.ts'
import { rotateSecretKey } from '#secret-key/rotate-command.ts'

const stop = new AbortController()
for (const name of stopSignals(process.platform)) process.once(name, () => stop.abort())

try {
  await rotateSecretKey({
    config: readConfig(process.env),
    say: (line) => console.log(line),
    signal: stop.signal,
  })
} catch (error) {
  const why = stop.signal.aborted ? 'stopped' : error instanceof Error ? error.message : String(error)
  console.error(`the key is not rotated yet, run this again to go on: ${why}`)
  process.exitCode = 1
}
