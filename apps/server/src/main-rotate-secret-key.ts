import { terminalOf } from '@ithings/contract/terminal-language.ts'
import { phrase } from '@ithings/contract/text.ts'
import { readConfig } from '#app/config.ts'
import { stopSignals } from '#app/stop-signals.ts'
import { rotateSecretKey } from '#secret-key/rotate-command.ts'
import { inTerminal, speakInTerminal, wordsOf } from '#terminal.ts'

speakInTerminal(terminalOf(process))

const stop = new AbortController()
for (const name of stopSignals(process.platform)) process.once(name, () => stop.abort())

try {
  await rotateSecretKey({
    config: readConfig(process.env),
    say: (line) => console.log(line),
    signal: stop.signal,
  })
} catch (error) {
  const why = stop.signal.aborted ? phrase('已停止') : wordsOf(error)
  console.error(inTerminal(phrase('钥匙尚未更换完，再次运行本命令即可继续：{why}', { why })))
  process.exitCode = 1
}
