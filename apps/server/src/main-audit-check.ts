import { terminalOf } from '@ithings/contract/terminal-language.ts'
import { auditCheck } from '#app/audit-check.ts'
import { readConfig } from '#app/config.ts'
import { inTerminal, speakInTerminal, wordsOf } from '#terminal.ts'

speakInTerminal(terminalOf(process))

try {
  process.exitCode = await auditCheck({
    args: process.argv.slice(2),
    config: readConfig(process.env),
    say: (line) => console.log(line),
    complain: (line) => console.error(line),
  })
} catch (error) {
  console.error(inTerminal(wordsOf(error)))
  process.exitCode = 1
}
