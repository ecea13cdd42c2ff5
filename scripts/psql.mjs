// `npm run psql`: statements to the database of this installation, embedded or DATABASE_URL. Runs on our own Node.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { terminalOf } from '@ithings/contract/terminal-language.ts'
import { readConfig } from '../apps/server/src/app/config.ts'
import { connectPlain } from '../apps/server/src/backup/database.ts'
import { openBeside } from '../apps/server/src/backup/open-database.ts'
import { inTerminal, speakInTerminal, wordsOf } from '../apps/server/src/terminal.ts'
import { say, speakChinese } from './words.mjs'

/** @typedef {Awaited<ReturnType<typeof connectPlain>>} Client */

const language = terminalOf(process)
speakInTerminal(language)
speakChinese(language === 'zh')

const help = 'Statements end with a semicolon. {tables} lists the tables, {columns} the columns of one, {leave} leaves.'

const tables = `select schemaname as schema, relname as table, n_live_tup::integer as rows
  from pg_stat_user_tables order by schemaname, relname`
const columns = `select column_name as column, data_type as type, is_nullable as nullable, column_default as default
  from information_schema.columns where table_name = $1 order by table_schema, ordinal_position`

/**
 * The psql of the machine; the embedded PostgreSQL comes without one. The password goes by the environment, which other
 * accounts do not see.
 * @param {Client} client says where it is connected to
 * @param {string[]} args
 * @returns {Promise<number | undefined>} its exit code; undefined: there is none
 */
function runPsql(client, args) {
  const { host, port, user, password, database } = client
  const env = { PGHOST: host, PGPORT: String(port), PGUSER: user, PGPASSWORD: password ?? '', PGDATABASE: database }
  return new Promise((resolve) => {
    const child = spawn('psql', args, { stdio: 'inherit', env: { ...process.env, ...env } })
    child.on('error', () => resolve(undefined))
    child.on('exit', (code) => resolve(code ?? 1))
  })
}

/** @param {Client} client @param {string} text @returns {Promise<boolean>} whether it went well */
async function ask(client, text) {
  const [, described] = /^\\d\s+(\w+)$/.exec(text) ?? []
  try {
    const statement = text === '\\dt' ? tables : described ? columns : text
    const answer = await client.query(statement, described ? [described] : undefined)
    for (const { command, rowCount, fields, rows } of [answer].flat()) {
      if (fields.length > 0) console.table(rows)
      console.log(`${command} ${rowCount ?? ''}`.trim())
    }
    return true
  } catch (error) {
    console.error(/** @type {Error} */ (error).message)
    return false
  }
}

/** @param {Client} client @param {NodeJS.ReadableStream} input */
async function talk(client, input) {
  const lines = createInterface({ input, ...(process.stdin.isTTY && { output: process.stdout }), prompt: '=> ' })
  const prompt = () => process.stdin.isTTY && lines.prompt()
  if (process.stdin.isTTY) console.log(say(help, { tables: '\\dt', columns: '\\d NAME', leave: '\\q' }))
  prompt()
  let text = ''
  let isWell = true
  for await (const line of lines) {
    text = `${text}\n${line}`.trim()
    if (text === '\\q') break
    if (text.endsWith(';') || text.startsWith('\\')) {
      isWell = (await ask(client, text)) && isWell
      text = ''
    }
    prompt()
  }
  return isWell
}

const { values } = parseArgs({
  options: { command: { type: 'string', short: 'c' }, plain: { type: 'boolean' } },
  strict: false,
})
// Ctrl-C is for psql, which ends the statement and not itself.
process.on('SIGINT', () => undefined)
try {
  const database = await openBeside(readConfig(process.env), (line) => console.error(line))
  try {
    const client = await connectPlain(database.connectionString)
    const code = values.plain ? undefined : await runPsql(client, process.argv.slice(2))
    const talked = () =>
      typeof values.command === 'string' ? ask(client, values.command) : talk(client, process.stdin)
    process.exitCode = code ?? ((await talked()) ? 0 : 1)
    await client.end()
  } finally {
    await database.stop()
  }
} catch (error) {
  console.error(inTerminal(wordsOf(error)))
  process.exitCode = 1
}
