import { setFlagsFromString } from 'node:v8'
import { terminalOf } from '@ithings/contract/terminal-language.ts'
import { phrase } from '@ithings/contract/text.ts'
import { readConfig } from '#app/config.ts'
import { demoWish } from '#app/demo-wish.ts'
import { run } from '#app/run.ts'
import { inTerminal, speakInTerminal, wordsOf } from '#terminal.ts'

speakInTerminal(terminalOf(process))

// Messages live a few milliseconds too long for the young generation. Left to itself V8 lets them pile up to four times
// what is in use before it looks; twice is enough and keeps a busy server at half the memory (goals.md "Memory").
setFlagsFromString('--heap-growing-percent=100')

try {
  const args = process.argv.slice(2)
  await run(readConfig(process.env), { checkOnly: args.includes('--check'), demo: demoWish(args) })
} catch (error) {
  console.error(inTerminal(phrase('iThings Core 无法启动：{why}', { why: wordsOf(error) })))
  process.exit(1)
}
