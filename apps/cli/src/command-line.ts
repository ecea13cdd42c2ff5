/** The program on this terminal. */
import { homedir } from 'node:os'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import contractTexts from '@ithings/contract/en.json' with { type: 'json' }
import moreContractTexts from '@ithings/contract/en-later.json' with { type: 'json' }
import apiNames from '@ithings/contract/en-names.json' with { type: 'json' }
import { addTexts, toEnglish } from '@ithings/contract/english.ts'
import { terminalOf } from '@ithings/contract/terminal-language.ts'
import { fill, languageOf, speakBy, t } from '@ithings/contract/text.ts'
import texts from './en.json' with { type: 'json' }
import { ExitCode } from './failure.ts'
import type { Place } from './place.ts'
import { runProgram } from './program.ts'

const words = process.argv.slice(2)

/** Needed before anything is said, so it is looked for before the words are read. */
function askedLanguage() {
  const at = words.indexOf('--lang')
  const given =
    words.find((word) => word.startsWith('--lang='))?.slice('--lang='.length) ?? (at < 0 ? '' : words[at + 1])
  return languageOf(given)
}

const language = askedLanguage() ?? terminalOf(process)
for (const one of [contractTexts, moreContractTexts, apiNames, texts]) addTexts(one)
speakBy(language === 'zh' ? fill : toEnglish)

const { stdin, stdout, stderr, env } = process
const end = new AbortController()
process.once('SIGINT', () => {
  end.abort()
  // Whatever does not listen is left behind.
  setTimeout(() => process.exit(ExitCode.interrupted), 1_000).unref()
})
// A pager or `head` that has enough.
stdout.on('error', () => process.exit(0))

async function ask(question: string, hidden = false): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: hidden ? silent : stderr, terminal: true })
  try {
    if (hidden) stderr.write(question)
    const answer = await lines.question(hidden ? '' : question, { signal: end.signal })
    if (hidden) stderr.write('\n')
    return answer
  } finally {
    lines.close()
  }
}

const place: Place = {
  env,
  platform: process.platform,
  home: homedir(),
  language,
  width: stdout.isTTY ? stdout.columns : undefined,
  color: Boolean(stdout.isTTY) && !env.NO_COLOR && env.TERM !== 'dumb',
  interactive: Boolean(stdin.isTTY && stderr.isTTY),
  out: (part) => void stdout.write(part),
  err: (part) => void stderr.write(part),
  readInput: () => text(stdin),
  ask,
  signal: end.signal,
}

try {
  process.exitCode = await runProgram(place, words)
} catch (error) {
  // A fault of this program, not of whoever uses it.
  stderr.write(`${t('程序出错：{fault}', { fault: error instanceof Error ? error.message : String(error) })}\n`)
  if (env.ITHINGS_DEBUG) stderr.write(`${error instanceof Error ? error.stack : ''}\n`)
  process.exitCode = ExitCode.refused
}
