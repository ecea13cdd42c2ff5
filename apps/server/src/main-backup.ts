import { terminalOf } from '@ithings/contract/terminal-language.ts'
import { readConfig } from '#app/config.ts'
import { stopSignals } from '#app/stop-signals.ts'
import { runCommand } from '#backup/command.ts'
import { inTerminal, speakInTerminal, wordsOf } from '#terminal.ts'

speakInTerminal(terminalOf(process))

const stop = new AbortController()
// The first Ctrl-C undoes what was begun; the second one does not wait for that.
for (const name of stopSignals(process.platform)) process.once(name, () => stop.abort())

// Taken out of the environment, which programs that are started from here would get.
const passphrase = process.env.BACKUP_PASSPHRASE
delete process.env.BACKUP_PASSPHRASE

try {
  process.exitCode = await runCommand({
    args: process.argv.slice(2),
    config: readConfig(process.env),
    passphrase,
    folder: process.env.INIT_CWD ?? process.cwd(),
    say: (line) => console.log(line),
    complain: (line) => console.error(line),
    signal: stop.signal,
  })
} catch (error) {
  console.error(inTerminal(wordsOf(error)))
  process.exitCode = 1
}
